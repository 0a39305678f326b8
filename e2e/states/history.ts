import * as contract from '@sparechange/contract';
import { answers, keepsWaiting, refuses } from '../mock-api.ts';
import { member, press, reads, type Step, shows } from './state.ts';

type History = contract.SentOf<typeof contract.retrieveHistory>;
type Line = contract.SentOf<typeof contract.retrieveLine>['line'];
type Receipt = contract.SentOf<typeof contract.listReceipts>['receipts'][number];
type Purchase = History['roundUphistory'][number];

const purchase = (
  day: number,
  description: string,
  amount: string,
  debitAmountCents: number,
  state: Purchase['state'],
  why: Purchase['why'] = null,
): Purchase => ({
  lineId: `line-${19 - day}`,
  createdDate: `2026-11-${day}`,
  description,
  amount,
  debitAmountCents,
  state,
  why,
  given:
    state === 'waiting' || state === 'none'
      ? null
      : { on: '2026-11-18', clubCents: state === 'returned' ? 0 : Math.ceil(debitAmountCents / 2) },
});
const debits: History['debits'] = [
  {
    debitId: 'gift',
    kind: 'one-off donation',
    date: '2026-11-17',
    amountCents: 2000,
    clubCents: 2000,
    state: 'cleared',
  },
];
const roundUphistory = [
  purchase(19, 'VISA PURCHASE 19/11 GROUND UP COFFEE SURRY HILLS', '4.35', 65, 'waiting'),
  purchase(18, 'EFTPOS 18/11 WOOLWORTHS 1294 MARRICKVILLE METRO SHOPPING CENTRE NSW', '128.40', 60, 'submitted'),
  purchase(17, 'VISA PURCHASE 18/11 TRANSPORTFORNSW OPAL', '3.79', 21, 'cleared', 'refunded'),
  purchase(
    16,
    'VISA PURCHASE 17/11 THE VERY LONG NAMED BOOKSHOP OF NEWTOWN AND DISTRICT',
    '1249.95',
    3,
    'cleared',
    'over the weekly limit',
  ),
  purchase(15, 'EFTPOS 16/11 BUNNINGS 321000 ALEXANDRIA', '41.10', 90, 'returned'),
  purchase(14, 'VISA PURCHASE 15/11 PADDOCK BAKERY BURLEIGH HEADS', '12.00', 0, 'none', 'exact amount'),
  purchase(13, 'EFTPOS 14/11 HARRIS FARM MARKETS', '8.15', 0, 'none', 'paused'),
  purchase(12, 'REFUND PURCHASE TRANSPORTFORNSW OPAL', '-3.79', -21, 'waiting', 'a refund'),
  purchase(11, 'PENDING 12/11 GELATO MESSINA', '6.50', 0, 'none', 'waiting for your bank'),
];

const manyLines = Array.from({ length: 300 }, (_, index) => {
  const day = new Date(Date.UTC(2026, 10, 19) - index * 43_200_000).toISOString().slice(0, 10);
  return {
    ...purchase(19, `VISA PURCHASE 19/11 KIOSK ${index} SYDNEY AU`, '4.35', 65, 'cleared'),
    lineId: `line-of-many-${index}`,
    createdDate: day,
    given: { on: day, clubCents: 65 },
  };
});

const monthReceipt = (firstDay: string, lastDay: string, totalCents: number): Receipt => ({
  kind: 'month',
  number: null,
  firstDay,
  lastDay,
  totalCents,
});
const receipts: Receipt[] = [
  monthReceipt('2026-10-01', '2026-10-31', 1842),
  monthReceipt('2026-09-01', '2026-09-30', 1745),
  monthReceipt('2026-07-01', '2026-07-31', -345),
  { ...monthReceipt('2025-07-01', '2026-06-30', 28_048), kind: 'year', number: '1DP8Y-3JD3Y-FY2026' },
];

/** Eleven of the last twelve months; the missing one had no donation. */
const months = 'Nov-26 Oct-26 Sep-26 Jul-26 Jun-26 May-26 Apr-26 Mar-26 Feb-26 Jan-26 Dec-25'
  .split(' ')
  .map((monthYear, index) => ({ monthYear, totalDebitAmount: [1842, 10_240, 310, 2215, 45][index % 5] ?? 0 }));

const historyOf = (output: Partial<History>, donatedCents: number, given = receipts): Step[] => [
  answers(contract.listReceipts, { receipts: given }),
  answers(contract.retrieveHistory, { roundUphistory: [], debits: [], bankDataDeletedOn: null, ...output }),
  answers(contract.debitsAllTime, { debitAllTime: donatedCents }),
  answers(contract.retrieveTotalDebits, { debitHistory: { documents: donatedCents ? months : [] } }),
  '/history',
];
const openTable = historyOf({ roundUphistory, debits }, 31_290);

const coffeeLine: Line = {
  bank: {
    date: '2026-11-19',
    description: roundUphistory[0]?.description ?? '',
    amount: '4.35',
    account: 'Everyday Access',
  },
  why: null,
  rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 65 },
  pair: null,
  debits: [],
  shares: null,
  remittance: null,
  deposit: null,
};
const openCoffee = (line: Step): Step[] => [
  answers(contract.retrieveHistory, { roundUphistory, debits, bankDataDeletedOn: null }),
  line,
  '/history',
  press('Ground Up Coffee Surry Hills'),
];
/** Opens a line of the history. */
const openedLine = (line: Partial<Line>) =>
  member(...openCoffee(answers(contract.retrieveLine, { line: { ...coffeeLine, ...line } })), reads('At your bank'));
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

/** States of the history: its table, an opened line and the receipts. */
export const histories = {
  history: {
    table: member(...openTable),
    everything: member(...openTable, (page) => page.getByLabel("Show purchases that didn't count").check()),
    found: member(...openTable, (page) => page.getByLabel('Search').fill('wool')),
    'nothing found': member(
      ...openTable,
      (page) => page.getByLabel('Search').fill('jetski'),
      reads('round-ups match.'),
    ),
    'three hundred lines': member(
      ...historyOf({ roundUphistory: manyLines }, 31_290),
      press('Show more'),
      press('Show more'),
    ),
    empty: member(...historyOf({}, 0, [])),
    'load failed': member(refuses(contract.retrieveHistory), '/history'),
    loading: member(
      keepsWaiting(contract.retrieveHistory),
      keepsWaiting(contract.debitsAllTime),
      '/history',
      shows('heading', 'Round-Up History'),
    ),
    'bank data deleted': member(
      ...historyOf({ bankDataDeletedOn: '2026-10-02' }, 31_290),
      reads('Your bank data was deleted'),
    ),
    'line to the club': openedLine({
      debits: [
        debit,
        { ...debit, date: '2026-11-23', state: 'cleared', reference: 'RU7720B1', providerReference: 'PR.4a11' },
      ],
      shares: { club: 'Harbour Hounds', clubCents: 33, savingsCents: 32 },
      remittance: { date: '2026-11-25', reference: 'CL8A20B4C1D97E3F06', state: 'submitted' },
    }),
    'line over the limit': openedLine({
      why: 'over the weekly limit',
      rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 20 },
    }),
    'line refunded': openedLine({ why: 'refunded', pair: { lineId: 'line-7', date: '2026-11-21', cents: 65 } }),
    'line pending': openedLine({ why: 'waiting for your bank', rounding: null }),
    'line failed': member(...openCoffee(refuses(contract.retrieveLine)), shows('alert')),
    'all receipts': member(...openTable, press('Show all 4')),
    'receipt failed': member(
      refuses(contract.downloadReceipt),
      ...openTable,
      press('Download October 2026'),
      reads('Something went wrong'),
    ),
    'receipts loading': member(keepsWaiting(contract.listReceipts), '/history', shows('heading', 'Round-Up History')),
  },
};
