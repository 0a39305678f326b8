import type { Page } from '@playwright/test';
import * as contract from '@sparechange/contract';
import { answers, holds, keepsWaiting, refuses } from '../mock-api.ts';
import type { Supporter } from '../supporter.ts';
import { fillIn, member, press, reads, type Step, shows, staysShown, visitor, waitsLittle } from './state.ts';

const { accounts, checkJob, findJobs, registerFunding, retrieveAccounts } = contract;

const connecting = '/consented?jobId=a-job';
const toFunding: Step[] = ['/roundup-accounts', press('Next'), shows('heading', 'Funding Account')];

/** The bank's accounts before a choice, with their estimates. */
const known = [
  ['1', 'Everyday Access', 'transaction', 31, 370],
  ['2', 'NetBank Saver', 'savings', 0, 0],
  ['3', 'Low Rate Mastercard', 'credit-card', 12, 2440],
  ['4', 'Our Home', 'mortgage', 0, 0],
] as const;
const idOf = (last: string) => `01981f5c-7d3e-7c60-8a0b-93a4e1f0c2d${last}`;
const newcomer: Step[] = [
  holds({ onboardingComplete: false, nextDebit: null }),
  answers(accounts, {
    accountsData: {
      documents: known.map(([last, name, kind]) => ({
        _id: idOf(last),
        id: last,
        name,
        accountNumber: `XXXX774${last}`,
        activeRoundUpsEnabled: false,
        activeDebitEnabled: false,
        kind,
        canFund: kind === 'transaction' || kind === 'savings',
      })),
    },
  }),
];
const estimates = answers(contract.retrieveAccountEstimates, {
  accountEstimates: known.map(([last, , , purchases, weeklyCents]) => ({
    accountId: idOf(last),
    purchases,
    weeklyCents,
  })),
});
const ticks = (name: RegExp) => (page: Page) => page.getByRole('checkbox', { name }).check();
const finishing = holds({ onboardingComplete: false, nextDebit: null });

const confirmAccount: Step[] = [
  '/verify',
  (page: Page, { email, password }: Supporter) => fillIn({ Email: email, Password: password })(page),
  press('Verify'),
];

async function untickAll(page: Page): Promise<void> {
  await page.getByRole('checkbox').first().waitFor();
  for (const box of await page.getByRole('checkbox', { checked: true }).all()) await box.uncheck();
}

const renewal = '/consented?state=default.renewal';
const lasting = { endsOn: '2027-11-25', bankEndsOn: '2027-11-25', dataOn: '2026-11-24' };

/** Returns from the bank after a renewal's step. */
const comesBack = (changes: Partial<contract.UserRecord['consentHealth']>, title: string) =>
  member(holds({ consentHealth: { ...lasting, state: 'good', ...changes } }), renewal, shows('heading', title));

const opensMail = (left: 'bank' | 'nothing', bankEndsOn: string, words: string) =>
  visitor(
    answers(contract.extendConsent, {
      consentLink: 'https://bank.example/',
      renewal: { left, endsOn: '2027-11-25', bankEndsOn },
    }),
    '/extend-consent/mira%40example.com?token=signed',
    reads(words),
  );

const mailed = (path: string) => `/${path}/mira%40example.com`;

/** From the bank to "Thankyou", and renewing the consent. */
export const onboarding = {
  'launch consent': { start: member('/launch-consent') },
  'bank connection': {
    start: member(keepsWaiting(checkJob), connecting),
    'no job': member(keepsWaiting(findJobs), '/consented'),
    'job found': member(answers(findJobs, { jobId: 'a-job' }), keepsWaiting(checkJob), '/consented'),
    pending: member(answers(checkJob, { status: 202 }, 202), connecting),
    done: member(answers(checkJob, { status: 200 }), keepsWaiting(retrieveAccounts), connecting),
    retrieved: member(
      staysShown,
      answers(checkJob, { status: 200 }),
      answers(retrieveAccounts, { status: 200 }),
      connecting,
    ),
    'retries exhausted': member(
      waitsLittle,
      answers(checkJob, { status: 202 }, 202),
      refuses(retrieveAccounts),
      connecting,
    ),
    error: member(refuses(checkJob, 409, 'conflict'), connecting),
    'signed out': visitor(connecting),
  },
  confirmed: { error: member(refuses(findJobs, 409, 'conflict'), '/confirmed') },
  verify: {
    form: visitor('/verify'),
    failed: visitor(
      '/verify',
      (page, { email }) => fillIn({ Email: email, Password: 'not the password' })(page),
      press('Verify'),
    ),
    'forgot password': visitor('/verify', press('Reset it')),
    'club without a home': visitor(staysShown, holds({ supportingClubId: 'a-club-without-a-home' }), ...confirmAccount),
    'no club': visitor(staysShown, holds({ supportingClubId: '' }), ...confirmAccount),
  },
  'round-up accounts': {
    choice: member('/roundup-accounts'),
    'no accounts': member(answers(accounts, { accountsData: { documents: [] } }), '/roundup-accounts'),
    suggested: member(...newcomer, estimates, '/roundup-accounts', reads('Suggested:'), ticks(/Everyday Access/)),
    estimating: member(...newcomer, keepsWaiting(contract.retrieveAccountEstimates), '/roundup-accounts', (page) =>
      page.getByText('Looking at your purchases…').first().waitFor(),
    ),
    'none chosen': member('/roundup-accounts', untickAll, press('Next'), reads('Select at least one account')),
  },
  'funding account': {
    choice: member(...toFunding),
    'a week': member(
      ...newcomer,
      estimates,
      answers(contract.setRoundUpAccounts, {}),
      '/roundup-accounts',
      ticks(/Everyday Access/),
      press('Next'),
      reads('About $3.70 a week, going by your last 4 weeks.'),
    ),
    failed: member(refuses(registerFunding), ...toFunding, press('CONTINUE')),
    'no accounts': member(staysShown, '/funding-accounts'),
  },
  finished: {
    question: member('/finished'),
    'first time': member(
      finishing,
      answers(contract.retrieveBackdating, {
        backdating: { purchases: 12, cents: 618 },
        firstDebitOn: '2026-11-25',
      }),
      '/finished',
      reads('Yes adds $6.18'),
    ),
    estimating: member(finishing, keepsWaiting(contract.retrieveBackdating), '/finished', reads('Looking at your')),
  },
  'extend consent': {
    ready: visitor(mailed('extend-consent')),
    'forgot password': visitor(mailed('extend-consent'), press('Reset it')),
    failed: visitor(refuses(contract.extendConsent), mailed('extend-consent')),
  },
  'expired consent': {
    ready: visitor(mailed('expired-consent')),
    failed: visitor(refuses(contract.renewExpiredConsent), mailed('expired-consent')),
  },
  renewal: {
    'not renewed yet': comesBack({ state: 'ends soon', endsOn: '2026-12-09' }, 'Not Renewed Yet'),
    'one more step': comesBack({ state: 'bank ends soon', bankEndsOn: '2026-12-09' }, 'One More Step'),
    'bank has stopped': comesBack({ state: 'bank ended', dataOn: '2026-11-20' }, 'One More Step'),
    renewed: comesBack({}, 'Renewed'),
    'look again': member(refuses(retrieveAccounts), renewal, reads('Please look again in a few minutes.')),
    'signed out': visitor(renewal, shows('link', 'Log In')),
    'mailed link, one more step': opensMail('bank', '2026-12-09', 'a permission of its own'),
    'mailed link, renewed': opensMail('nothing', '2027-11-25', 'There is nothing more to do.'),
  },
};
