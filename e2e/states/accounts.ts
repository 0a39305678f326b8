import type { Page } from '@playwright/test';
import * as contract from '@sparechange/contract';
import { answers, holds, keepsWaiting, refuses } from '../mock-api.ts';
import { fillIn, member, press, type State, type States, visitor } from './state.ts';

type History = contract.SentOf<typeof contract.retrieveHistory>;
type Line = contract.SentOf<typeof contract.retrieveLine>['line'];
type Receipt = contract.SentOf<typeof contract.listReceipts>['receipts'][number];

const linked = { savingsAccount: { document: { accountName: 'M HALLORAN SAVER', accountNumber: 'XXXX7741' } } };
const nothing = { roundUphistory: [], bankDataDeletedOn: null };
const states = ['waiting', 'submitted', 'cleared', 'cleared', 'returned', 'none', 'none', 'waiting', 'none'] as const;
const reasons = [
  null,
  null,
  'refunded',
  'over the weekly limit',
  null,
  'exact amount',
  'paused',
  'a refund',
  'waiting for your bank',
] as const;
const shops = [
  'VISA PURCHASE 19/11 GROUND UP COFFEE SURRY HILLS',
  'EFTPOS 18/11 WOOLWORTHS 1294 MARRICKVILLE METRO SHOPPING CENTRE NSW',
  'VISA PURCHASE 18/11 TRANSPORTFORNSW OPAL',
  'VISA PURCHASE 17/11 THE VERY LONG NAMED BOOKSHOP OF NEWTOWN AND DISTRICT',
  'EFTPOS 16/11 BUNNINGS 321000 ALEXANDRIA',
  'VISA PURCHASE 15/11 PADDOCK BAKERY BURLEIGH HEADS',
  'EFTPOS 14/11 HARRIS FARM MARKETS',
  'REFUND PURCHASE TRANSPORTFORNSW OPAL',
  'PENDING 12/11 GELATO MESSINA',
];
const purchases: History['roundUphistory'] = states.map((state, day) => ({
  lineId: `line-${day}`,
  createdDate: `2026-11-${19 - day}`,
  description: shops[day] ?? '',
  amount: ['4.35', '128.40', '3.79', '1249.95', '41.10', '12.00', '8.15', '-3.79', '6.50'][day] ?? '',
  debitAmountCents: [65, 60, 21, 3, 90, 0, 0, -21, 0][day] ?? 0,
  why: reasons[day] ?? null,
  state,
}));

const linkedAccounts = (prepare: (page: Page) => Promise<unknown> = async () => undefined): State =>
  member(async (page) => {
    await prepare(page);
    await page.goto('/linked-accounts');
  });

const savings = (fields: Record<string, string> | undefined, prepare?: (page: Page) => Promise<unknown>): State =>
  member(async (page) => {
    await prepare?.(page);
    await page.goto('/linked-accounts');
    await press(page, 'Change Account');
    if (!fields) return;
    const dialog = page.getByRole('dialog');
    await fillIn(page, fields);
    await dialog.getByRole('button', { name: 'Submit' }).click();
  });

const month = (firstDay: string, lastDay: string, totalCents: number): Receipt => ({
  kind: 'month',
  firstDay,
  lastDay,
  totalCents,
  number: null,
});
const receipts: Receipt[] = [
  month('2026-10-01', '2026-10-31', 1842),
  month('2026-09-01', '2026-09-30', 1745),
  month('2026-07-01', '2026-07-31', -345),
  {
    kind: 'year',
    firstDay: '2025-07-01',
    lastDay: '2026-06-30',
    totalCents: 28_048,
    number: '1DP8Y-3JD3Y-FY2026',
  },
];

/** A year of months, one of them without a donation. */
const months = [
  'Nov-26',
  'Oct-26',
  'Sep-26',
  'Jul-26',
  'Jun-26',
  'May-26',
  'Apr-26',
  'Mar-26',
  'Feb-26',
  'Jan-26',
  'Dec-25',
].map((monthYear, place) => ({ monthYear, totalDebitAmount: [1842, 10_240, 310, 2215, 45][place % 5] ?? 0 }));

const historyOf = (output: History, donatedCents: number, given = receipts): State =>
  member(async (page) => {
    await answers(page, contract.listReceipts, { receipts: given });
    await answers(page, contract.retrieveHistory, output);
    await answers(page, contract.debitsAllTime, { debitAllTime: donatedCents });
    await answers(page, contract.retrieveTotalDebits, { debitHistory: { documents: donatedCents ? months : [] } });
    await page.goto('/history');
  });

/** A line of the history, opened. */
const opened = (line: Partial<Line>): State =>
  member(async (page) => {
    await answers(page, contract.retrieveHistory, { roundUphistory: purchases, bankDataDeletedOn: null });
    await answers(page, contract.retrieveLine, { line: { ...coffee, ...line } });
    await page.goto('/history');
    await press(page, 'GROUND UP COFFEE SURRY HILLS');
    await page.getByText('At your bank').waitFor();
  });
const coffee: Line = {
  bank: { date: '2026-11-19', description: shops[0] ?? '', amount: '4.35', account: 'Everyday Access' },
  why: null,
  rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 65 },
  pair: null,
  debits: [],
  shares: null,
  remittance: null,
  deposit: null,
};
const debit = {
  date: '2026-11-20',
  amountCents: 342,
  clubCents: 171,
  savingsCents: 171,
  state: 'returned',
  refundedCents: 0,
  reference: 'RU4F1C99A03B7D2E58',
  providerReference: 'PR.39p1',
} as const;

/** Traces of a cent: all of the way, no way at all, and half of it for other reasons. */
export const lineStates: Record<string, State> = {
  'line to the club': opened({
    debits: [
      debit,
      { ...debit, date: '2026-11-23', state: 'cleared', reference: 'RU7720B1', providerReference: 'PR.4a11' },
    ],
    shares: { club: 'Harbour Hounds', clubCents: 33, savingsCents: 32 },
    remittance: { date: '2026-11-25', reference: 'CL8A20B4C1D97E3F06', state: 'submitted' },
  }),
  'line over the limit': opened({
    why: 'over the weekly limit',
    rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 20 },
  }),
  'line refunded': opened({ why: 'refunded', pair: { lineId: 'line-7', date: '2026-11-21', cents: 65 } }),
  'line pending': opened({ why: 'waiting for your bank', rounding: null }),
  'line failed': member(async (page) => {
    await answers(page, contract.retrieveHistory, { roundUphistory: purchases, bankDataDeletedOn: null });
    await refuses(page, contract.retrieveLine);
    await page.goto('/history');
    await press(page, 'GROUND UP COFFEE SURRY HILLS');
    await page.getByRole('alert').waitFor();
  }),
};

const embedded = (path: string): State =>
  member(async (page) => {
    await page.goto(path);
    await page.frameLocator('iframe').getByRole('heading').first().waitFor();
  });

const renewal = (path: string) => visitor((page) => page.goto(`/${path}/mira%40example.com`));
const failedRenewal = (path: string, operation: contract.Operation) =>
  visitor(async (page) => {
    await refuses(page, operation);
    await page.goto(`/${path}/mira%40example.com`);
  });

/** Screens that a supporter reads and looks after. */
export const looking: States<
  | 'linked accounts'
  | 'savings account'
  | 'history'
  | 'support'
  | 'terms'
  | 'extend consent'
  | 'expired consent'
  | 'logout'
> = {
  'linked accounts': {
    form: linkedAccounts(),
    linked: linkedAccounts((page) => answers(page, contract.retrieveLinkedSavings, linked)),
    'load failed': linkedAccounts((page) => refuses(page, contract.accounts)),
    'funding change failed': member(async (page) => {
      await refuses(page, contract.updateFundingAccount);
      await page.goto('/linked-accounts');
      const funding = page.getByRole('group', { name: 'Funding Account (Debits)' });
      await funding.getByRole('checkbox', { checked: false, disabled: false }).first().click();
    }),
    'savings failed': linkedAccounts((page) => refuses(page, contract.retrieveLinkedSavings)),
  },
  'savings account': {
    form: savings(undefined),
    empty: savings({}),
    malformed: savings({ 'Account Name': 'M Halloran', BSB: '06201', 'Account Number': '1234567' }),
    failed: savings({ 'Account Name': 'M Halloran', BSB: '062001', 'Account Number': '12345678' }, (page) =>
      refuses(page, contract.submitSavingsAccount),
    ),
  },
  history: {
    table: historyOf({ roundUphistory: purchases, bankDataDeletedOn: null }, 31_290),
    empty: historyOf(nothing, 0, []),
    'load failed': member(async (page) => {
      await refuses(page, contract.retrieveHistory);
      await page.goto('/history');
    }),
  },
  support: {
    page: embedded('/support'),
    menu: member(async (page) => {
      await page.goto('/support');
      await press(page, 'Menu');
    }),
  },
  terms: { page: embedded('/terms') },
  'extend consent': {
    ready: renewal('extend-consent'),
    'forgot password': visitor(async (page) => {
      await page.goto('/extend-consent/mira%40example.com');
      await press(page, 'Reset it');
    }),
    failed: failedRenewal('extend-consent', contract.extendConsent),
  },
  'expired consent': {
    ready: renewal('expired-consent'),
    failed: failedRenewal('expired-consent', contract.renewExpiredConsent),
  },
  logout: {
    leaving: visitor(async (page) => {
      await page.route('**/assets/identity-*.js', () => undefined);
      await page.goto('/logout');
    }),
  },
};

type Health = contract.UserRecord['consentHealth'];
const healthOf = (consentHealth: Health): State =>
  member(async (page) => {
    await holds(page, { consentHealth });
    await page.goto('/linked-accounts');
    await page.getByRole('region', { name: 'Bank Connection' }).waitFor();
  });

export const endsSoon: Health = {
  state: 'ends soon',
  endsOn: '2026-12-09',
  bankEndsOn: '2026-12-09',
  dataOn: '2026-11-24',
};

const lasting = { endsOn: '2027-10-03', bankEndsOn: '2027-10-03', dataOn: '2026-11-24' };
const ended = { endsOn: '2026-11-20', bankEndsOn: null };

/** The states of a consent. */
export const consentStates: Record<string, State> = {
  'consent ends soon': healthOf(endsSoon),
  'bank ends soon': healthOf({ ...lasting, state: 'bank ends soon', bankEndsOn: '2026-12-09' }),
  'bank ended': healthOf({ ...lasting, state: 'bank ended', bankEndsOn: '2026-11-20', dataOn: '2026-11-20' }),
  'bank silent': healthOf({ ...lasting, state: 'silent', dataOn: '2026-11-12' }),
  'consent ran out': healthOf({ ...ended, state: 'expired', dataOn: '2026-11-20' }),
  'consent withdrawn': healthOf({ ...ended, state: 'withdrawn', dataOn: null }),
  'renewal failed': member(async (page, who) => {
    await refuses(page, contract.renewOwnConsent);
    await healthOf(endsSoon).open(page, who);
    await press(page, 'Renew Consent');
    await page.getByRole('alert').waitFor();
  }),
};

export const historyLoading = member(async (page) => {
  await keepsWaiting(page, contract.retrieveHistory);
  await keepsWaiting(page, contract.debitsAllTime);
  await page.goto('/history');
  await page.getByRole('heading', { name: 'Round-Up History' }).waitFor();
});
export const bankDataDeleted = member(async (page, supporter) => {
  await historyOf({ roundUphistory: [], bankDataDeletedOn: '2026-10-02' }, 31_290).open(page, supporter);
  await page.getByText('Your bank data was deleted').waitFor();
});

/** Every receipt there is, and one that cannot be had. */
export const receiptStates = {
  'all receipts': member(async (page, who) => {
    await looking.history.table.open(page, who);
    await press(page, 'Show all 4');
  }),
  'receipt failed': member(async (page, who) => {
    await refuses(page, contract.downloadReceipt);
    await looking.history.table.open(page, who);
    await press(page, 'Download October 2026');
    await page.getByText('Something went wrong').waitFor();
  }),
  'receipts loading': member(async (page) => {
    await keepsWaiting(page, contract.listReceipts);
    await page.goto('/history');
    await page.getByRole('heading', { name: 'Round-Up History' }).waitFor();
  }),
};
