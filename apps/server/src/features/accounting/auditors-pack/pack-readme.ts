import { dollars, fullDay } from '@sparechange/domain';
import type { JournalDays } from '#features/accounting/journal/write-journal.ts';
import type { PackFigure } from './pack-figures.ts';

export interface PackFacts {
  operator: string;
  days: JournalDays;
  madeAt: Date;
  figures: PackFigure[];
  /** Files of statements, with their clubs' sums. */
  statements: PackFigure[];
  /** Sentences about what could not be written. */
  leftOut: string[];
}

const table = (figures: PackFigure[]): string[] => [
  '| Sum | Ours, AUD | Command |',
  '|---|---:|---|',
  ...figures.map(({ name, cents, command }) => `| ${name} | ${dollars(cents)} | \`${command}\` |`),
];

/** Writes the page that says what is in the pack, and how to recompute each sum. */
export const packReadme = ({ operator, days, madeAt, figures, statements, leftOut }: PackFacts): string =>
  [
    `# Books of ${operator}, ${fullDay(days.from)} to ${fullDay(days.to)}`,
    '',
    `Made ${madeAt.toISOString()}. Days are days in Sydney, amounts are Australian dollars. No supporter is named, unless a bank's words for a line name one.`,
    '',
    '| File | Is |',
    '|---|---|',
    '| `books.journal` | every entry of the three ledgers, after the balances of the day before; beancount, ledger and hledger read it |',
    '| `balances.csv` | our balance of every account at the end of each month |',
    '| `payouts.csv` | every payout to a club by its day of payment, with its state today |',
    '| `statements/` | a file for each club: its payouts that were sent and did not fail, with gross, returned, savings part, adjustments and deposit |',
    '| `receipts.csv` | for each month and year that ended: how many receipts were issued, and their totals |',
    '| `checkpoints.jsonl` | signed checkpoints of the audit log; `ops audit` holds them against the log |',
    '| `*.rules` | how hledger reads the CSV files |',
    '| `SHA256SUMS` | the hash of each file: `sha256sum -c SHA256SUMS` |',
    '',
    'Debits are positive, credits negative. Supporters, Clubs and Platform are three ledgers over the same money, so read',
    'them one at a time: Platform is where the money is and whose it is; the others say how each cent came and went.',
    '',
    "A line of a bank statement is booked on the day on which it is imported, as closed days stay closed. The bank's own day",
    'and words stand beside it, as `bank-day` and `bank-words`.',
    '',
    ...(leftOut.length > 0 ? ['## Left out', '', ...leftOut.map((sentence) => `- ${sentence}`), ''] : []),
    '## Recompute every sum',
    '',
    'With hledger 1.25 or later (Debian: `apt install hledger`), in this folder. Where a sum is 0.00, a command prints nothing.',
    '',
    ...table(figures),
    '',
    'Each ledger balances; the last line of these is 0:',
    '',
    "- `hledger -f books.journal balance ':Supporters:'`",
    "- `hledger -f books.journal balance ':Clubs:'`",
    "- `hledger -f books.journal balance ':Platform:'`",
    '',
    'The balance of every account at the end of each month, to be held against `balances.csv`:',
    '',
    '- `hledger -f books.journal balance --flat -N -E -H -M -O csv`',
    '',
    ...(statements.length > 0 ? ['## Statements of clubs', '', ...table(statements), ''] : []),
  ].join('\n');

/** Rules by which hledger reads each CSV file, by name. */
export const packRules: Record<string, string> = {
  'payouts.csv.rules': [
    'skip 1',
    'fields date,reference,state,dollars,club_id,club',
    'description %reference',
    'account1 payouts:%state',
    'amount1 %dollars AUD',
    'account2 clubs:%club_id',
    '',
  ].join('\n'),
  'receipts.csv.rules': [
    'skip 1',
    'fields date,kind,receipts,total,deductible',
    'description %kind',
    'account1 total:%kind',
    'amount1 %total AUD',
    'account2 deductible:%kind',
    'amount2 %deductible AUD',
    'account3 contra',
    '',
  ].join('\n'),
  'statements.rules': [
    'skip 1',
    'fields date,reference,gross,returned,savings,adjusted,deposit',
    'description %reference',
    'account1 paid',
    'amount1 %deposit AUD',
    'account2 contra',
    '',
  ].join('\n'),
};
