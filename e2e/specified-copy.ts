/**
 * The words of the specification by screen and state, to the letter. `states/` reaches each state here, and
 * `screens.spec.ts` reads its words off the screen in a browser.
 */
type Words = readonly (string | RegExp)[];

const registerLink = "Don't have an account? Register";
const resetLink = 'Forgot your password? Reset it';
const loginLink = 'Already have an account? Login';
const forgotten = [
  'Forgot Password?',
  'We will send you an email with reset instructions.',
  'Email',
  'Cancel',
  'Submit',
] as const;
const resetFailed = 'We experienced an error, contact support';
const loginFailed = 'Failed to log in. Please check your credentials.';
const registerFailed = 'Failed to register. Please try again.';
const clubsFailed = 'Failed to find Clubs. Please try again.';
const steps = ['Register Account', 'Connect To Bank', 'Select Round-Up Accounts', 'Select Funding Account'] as const;
const tracked = 'Transactions will be tracked from the accounts selected below.';
const debitDays = /^Round-up totals are debited every Monday, Wednesday and Friday\./;
const renewal = [
  'Hello',
  'Consumer Data Right guidelines ask accredited providers to get your consent every 12 months to round-up change for your organisation.',
  'Extend',
  registerLink,
  resetLink,
] as const;
const renewalFailed = /^We have encountered an issue, please contact \S+@\S+$/;
const verification = [
  'Verification',
  'For security reasons we need you to verify your account by logging in.',
] as const;
const money = String.raw`\$\d{1,3}(,\d{3})*\.\d{2}`;

export const words = {
  login: {
    form: ['Email', 'Password', 'Remember me', 'Login', registerLink, resetLink, 'Help', 'Terms', 'Privacy'],
    submitting: ['Loading...'],
    failed: [loginFailed],
    'forgot password': forgotten,
    'reset failed': [...forgotten, resetFailed],
    'unknown club in the address': [clubsFailed, 'Login'],
  },
  clubs: {
    list: ['Choose an organisation to support', 'Search for a club here...', loginLink],
    'unknown club in the address': [clubsFailed, 'Choose an organisation to support'],
  },
  registration: {
    form: [
      'First Name',
      'Last Name',
      'Email',
      'Mobile Number',
      '0#########',
      'Password',
      'Confirm Password',
      'I agree to the terms and conditions',
      'Register',
      'Made a mistake? Go back',
      loginLink,
    ],
    empty: [
      'First name is required',
      'Last name is required',
      'Email is required',
      'Mobile number is required',
      'Password is required',
      'Confirm password is required',
    ],
    malformed: [
      'First name is required',
      'Enter a valid email',
      'Mobile number must be 10 digits, no spaces',
      'Password should be of minimum 8 characters length',
      'Passwords must match',
    ],
    submitting: ['Loading...'],
    failed: [registerFailed],
  },
  'launch consent': {
    start: [
      ...steps,
      'Welcome',
      "Let's set up your accounts:",
      'Transactions accounts to track round-ups',
      'Funding account for micro debits Monday, Wednesday and Friday',
      'To continue, you will need:',
      'Internet Banking CRN - Customer Reference Number',
      "Internet Banking App - they'll send you a code",
      'Continue',
    ],
  },
  'bank connection': {
    start: ['Connecting...', 'Checking your bank connection and authorising accounts'],
    'no job': [
      'Searching For Connection!',
      'We are having some trouble confirming your connection, this might take a minute',
    ],
    'job found': ['Confirming Connection', 'FOUND! Finalising connection with your bank'],
    pending: ['Checking!', 'Receiving communications from your bank. This might take a little while.'],
    done: ['Finding Accounts!', 'Successfully connected - we are now retrieving your accounts.'],
    retrieved: ['Success!', 'Accounts have successfully been retrieved.'],
    'retries exhausted': [...verification, 'Retry', 'Verify My Account'],
    error: [...verification, 'Retry', 'Verify My Account'],
    'signed out': [...verification, 'Verify My Account'],
  },
  confirmed: {
    error: [...verification, 'Retry', 'Log In'],
  },
  verify: {
    form: [
      'Confirm Account',
      'For security purposes we require you to confirm your account',
      'Email',
      'Password',
      'Verify',
      registerLink,
      resetLink,
    ],
    failed: [loginFailed],
    'forgot password': forgotten,
    'club without a home': ['Verification successful, but redirection failed. Please contact support.'],
    'no club': ['Verification successful, but unable to determine organization. Please contact support.'],
  },
  'round-up accounts': {
    choice: ['Setting Up', tracked, 'Next'],
    'no accounts': ['Setting Up', tracked],
  },
  'funding account': {
    choice: ['Funding Account', debitDays, 'CONTINUE'],
    failed: ['There seems to be an error, please try again or contact support'],
    'no accounts': ['No accounts available. Please go back and select accounts.', 'Go Back'],
  },
  finished: {
    question: [
      'Thankyou',
      'Onboarding has been complete:',
      'Would you like to backdate your round-ups from the start of this month?',
      'Yes',
      'No',
    ],
  },
  dashboard: {
    on: [
      'Dashboard',
      'Supporting:',
      'Donated This Year',
      new RegExp(`^${money}$`),
      'Round-Ups On',
      'Round-Up to the nearest...',
      '$1',
      '$2',
      '$5',
      'Weekly Limit Off',
      'Linked Savings Account',
      'Off',
      'Manage Linked Account',
      'One-Time Donation',
      'Donate Now',
      'Donation History',
      'View All',
    ],
    'everything on': [
      'Weekly Limit On',
      'Limit round-up amount per week:',
      '$7.50',
      '$10.00',
      '$12.50',
      'On',
      /^X+\d{4}$/,
      new RegExp(String.raw`^[A-Z][a-z]{2}-\d\d: ${money}$`),
    ],
    paused: ['Round-Ups Paused'],
    'no savings account': ['On', 'No account linked'],
    'savings failed': ['Failed to retrieve linked savings.'],
    'no bank connection': [
      'No Bank Connection',
      "We noticed you don't have an active bank account connected for round-ups.",
      'Cancel',
      'Connect',
    ],
    'setting up unfinished': [
      'Finish Setting Up Your Account',
      "We noticed you haven't finished selecting your Round-Up and Funding Accounts.",
      'Cancel',
      'Finish',
    ],
    pausing: [
      'Pause Round-Ups',
      'Are you sure you want to pause your round-ups? There may still be pending direct-debits which will complete, even if you pause.',
      'Cancel',
      'Confirm',
    ],
    'pause failed': ['Something went wrong, please try again', 'Round-Ups On'],
    'resume failed': ['Something went wrong, please try again', 'Round-Ups Paused'],
    'load failed': ['Failed to load data. Please try again later.'],
    'user failed': [registerFailed],
  },
  donation: {
    form: ['One-Off Donation', 'You can donate up to $250 in a one-off Donation', 'Amount', 'Cancel', 'Submit'],
    'no amount': ['Amount is required'],
    'too much': ['Amount must be $250 or less'],
    thanks: ['Thank You!', 'Your donation request has been received and may take 2-3 days to process'],
    failed: ['Failed to process donation. Please try again.'],
  },
  'linked accounts': {
    form: [
      'Linked Accounts',
      'Round-Up Accounts',
      tracked,
      'Submit',
      'Funding Account (Debits)',
      debitDays,
      'Linked Savings Account',
      'no account linked',
      'Change Account',
      'Manage Bank Connection',
    ],
    linked: [/^X+\d{4}$/],
    'load failed': ['Failed to retrieve data.'],
    'funding change failed': [
      'There seems to be a problem with changing your funding account. Please try again later or contact support.',
    ],
    'savings failed': ['Failed to retrieve linked savings.'],
  },
  'savings account': {
    form: [
      'Savings Account',
      'Link a savings account for 50% of round-ups deposited monthly',
      'Account Name',
      'BSB',
      'Account Number',
      'Cancel',
      'Submit',
    ],
    empty: ['Account name is required', 'BSB is required', 'Account number is required'],
    malformed: ['BSB must be 6 numbers', 'Account number must be 8-12 numbers'],
    failed: [registerFailed],
  },
  history: {
    table: [
      'Round-Up History',
      'Total Donated To Date',
      new RegExp(`^${money}$`),
      'Date',
      'Description',
      'Amount',
      'Roundup',
      /^\d{1,2}-[A-Z][a-z]{2}-\d\d$/,
    ],
    empty: ['Round-Up History', 'Total Donated To Date', '$0.00'],
    'load failed': ['Failed to load data. Please try again later.'],
  },
  support: { page: [], menu: ['Dashboard', 'Linked Accounts', 'Privacy / T&Cs', 'Support', 'Logout'] },
  terms: { page: [] },
  'extend consent': {
    ready: ['Extend CDR Consent', ...renewal],
    'forgot password': forgotten,
    failed: ['Extend CDR Consent', renewalFailed],
  },
  'expired consent': {
    ready: ['Expired CDR Consent', ...renewal],
    failed: ['Expired CDR Consent', renewalFailed],
  },
  logout: { leaving: ['Logging out...'] },
} as const satisfies Record<string, Record<string, Words>>;

/** Error messages of the browser's console only; `tenants.spec.ts` reads them. */
export const loggedWords = {
  'unknown settings key': 'Cannot find module',
  'settings that do not load': /Loading chunk \S+ failed\./,
} as const;
