import * as contract from '@sparechange/contract';
import { answers, hangs, holds, keepsWaiting, refuses } from '../mock-api.ts';
import { fillIn, member, press, reads, type Step, shows, visitor } from './state.ts';

const document = { accountName: 'M HALLORAN SAVER', accountNumber: 'XXXX7741' };
export const linkedSavings = { savingsAccount: { document } };
export const refusedSavings = { savingsAccount: { document: { ...document, problem: 'account_refused' as const } } };

const linkedAccounts = (...prepared: Step[]) => member(...prepared, '/linked-accounts');
export const savingsForm = { 'Account Name': 'M Halloran', BSB: '062001', 'Account Number': '12345678' };
const saveSavings = (fields: Record<string, string>, ...prepared: Step[]) =>
  member(...prepared, '/linked-accounts', press('Change Account'), fillIn(fields), press('Submit'));

type Health = contract.UserRecord['consentHealth'];
const healthOf = (consentHealth: Health): Step[] => [
  holds({ consentHealth }),
  '/linked-accounts',
  shows('region', 'Bank Connection'),
];
export const endsSoon: Health = {
  state: 'ends soon',
  endsOn: '2026-12-09',
  bankEndsOn: '2026-12-09',
  dataOn: '2026-11-24',
};
const lasting = { endsOn: '2027-10-03', bankEndsOn: '2027-10-03', dataOn: '2026-11-24' };
const ended = { endsOn: '2026-11-20', bankEndsOn: null };

const { retrieveOffboardingStatus } = contract;
const nothing = { count: 0, cents: 0 };
const giving = {
  isPaused: false,
  hasMandate: true,
  hasConsent: true,
  hasBankData: true,
  debits: { count: 1, cents: 342 },
  donations: { count: 1, cents: 2500 },
  donationsToCome: nothing,
  refunds: nothing,
  deposits: { count: 1, cents: 1204 },
  waitingCents: 65,
  setAsideCents: 171,
};
const gone = { ...giving, isPaused: true, hasMandate: false, hasConsent: false, hasBankData: false };
const stopped = { ...giving, isPaused: true, hasMandate: false };
const yourData = (status: typeof giving, ...then: Step[]) =>
  member(
    answers(retrieveOffboardingStatus, { status }),
    '/terms#your-data',
    shows('heading', 'Close account'),
    ...then,
  );

const embedded = (path: string) =>
  member(path, (page) => page.frameLocator('iframe').getByRole('heading').first().waitFor());

/** Screens on which supporters look after their accounts and data. */
export const looking = {
  'linked accounts': {
    form: linkedAccounts(),
    linked: linkedAccounts(answers(contract.retrieveLinkedSavings, linkedSavings)),
    'load failed': linkedAccounts(refuses(contract.accounts)),
    'funding change failed': member(refuses(contract.updateFundingAccount), '/linked-accounts', (page) =>
      page
        .getByRole('group', { name: 'Funding Account (Debits)' })
        .getByRole('checkbox', { checked: false, disabled: false })
        .first()
        .click(),
    ),
    'savings failed': linkedAccounts(refuses(contract.retrieveLinkedSavings)),
    'savings account refused': member(
      answers(contract.retrieveLinkedSavings, refusedSavings),
      '/linked-accounts',
      reads('The bank did not take our deposit'),
    ),
    'consent ends soon': member(...healthOf(endsSoon)),
    'bank ends soon': member(...healthOf({ ...lasting, state: 'bank ends soon', bankEndsOn: '2026-12-09' })),
    'bank ended': member(
      ...healthOf({ ...lasting, state: 'bank ended', bankEndsOn: '2026-11-20', dataOn: '2026-11-20' }),
    ),
    'bank silent': member(...healthOf({ ...lasting, state: 'silent', dataOn: '2026-11-12' })),
    'consent ran out': member(...healthOf({ ...ended, state: 'expired', dataOn: '2026-11-20' })),
    'consent withdrawn': member(...healthOf({ ...ended, state: 'withdrawn', dataOn: null })),
    'renewal failed': member(
      refuses(contract.renewOwnConsent),
      ...healthOf(endsSoon),
      press('Renew Consent'),
      shows('alert'),
    ),
    loading: member(keepsWaiting(contract.accounts), '/linked-accounts', shows('heading', 'Linked Accounts')),
    saved: member(
      answers(contract.updateRoundUpAccounts, { results: [] }),
      '/linked-accounts',
      press('Submit'),
      reads('Saved'),
    ),
    'no bank accounts': member(
      answers(contract.accounts, { accountsData: { documents: [] } }),
      '/linked-accounts',
      reads('No bank accounts are linked.'),
    ),
  },
  'savings account': {
    form: member('/linked-accounts', press('Change Account')),
    empty: saveSavings({}),
    malformed: saveSavings({ ...savingsForm, BSB: '06201', 'Account Number': '1234567' }),
    failed: saveSavings(savingsForm, refuses(contract.submitSavingsAccount)),
  },
  support: { page: embedded('/support'), menu: member('/support', press('Menu')) },
  terms: { page: embedded('/terms') },
  logout: { leaving: visitor(hangs('**/assets/identity-*.js'), '/logout') },
  'your data': {
    'signed out': visitor('/terms#your-data', shows('link', 'Sign in')),
    loading: member(keepsWaiting(retrieveOffboardingStatus), '/terms#your-data', shows('heading', 'Your data')),
    'load failed': member(refuses(retrieveOffboardingStatus), '/terms#your-data', reads('Failed to load data.')),
    giving: yourData(giving),
    'nothing left': yourData(gone),
    pausing: yourData(giving, press('Pause round-ups')),
    stopping: yourData(giving, press('Stop debits')),
    withdrawing: yourData(giving, press('Withdraw consent')),
    deleting: yourData(giving, press('Delete bank data')),
    downloading: yourData(giving, press('Download everything')),
    closing: yourData(giving, press('Close account')),
    stopped: yourData(
      giving,
      answers(contract.stopDebits, { status: stopped }),
      press('Stop debits'),
      answers(retrieveOffboardingStatus, { status: stopped }),
      press('Stop'),
      reads('Your debits have stopped.'),
    ),
    'withdrawing failed': yourData(
      giving,
      refuses(contract.withdrawConsent, 502, 'provider-unavailable'),
      press('Withdraw consent'),
      press('Withdraw'),
      shows('alert'),
    ),
  },
};
