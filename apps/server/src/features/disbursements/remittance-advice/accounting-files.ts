import {
  csv,
  dollars,
  historyDate,
  type IsoDate,
  isoDate,
  negate,
  noCents,
  textCell,
  total,
} from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { InvalidInput } from '#errors.ts';
import type { AdviceFacts } from './advice-repository.ts';
import { type StatementFormat, statementFormats } from './statement-files.ts';

/** Accounts in a club's own books for its payouts. */
export interface BookAccounts {
  income: string;
  /** Account for deposits, which MYOB needs and a journal takes. */
  bank?: string | undefined;
}

type Line = { text: string; cents: AdviceFacts['totals']['net'] };

/** Maximum number of lines in one file for Xero. */
const maxXeroLines = 1_000;

const adjustmentNames = { correction: 'Correction', reserve: 'Reserve' } as const;

/** Returns the parts of a deposit, line by line; throws if they are off by a cent. */
export function linesOf({ club, days, adjustments, totals, reference }: AdviceFacts): Line[] {
  const lines = [
    ...days.map(({ day, net }) => ({
      text: `${club.name}: ${net < 0 ? 'taken back' : 'given, cleared'} ${historyDate(isoDate(day))}`,
      cents: net,
    })),
    ...adjustments.map(({ kind, day, cents }) => ({
      text: `${club.name}: ${adjustmentNames[kind]}${day ? ` ${historyDate(isoDate(day))}` : ''}`,
      cents,
    })),
  ];
  const sum = total(lines.map(({ cents }) => cents));
  if (sum !== totals.net)
    throw new RangeError(`The lines of ${reference} come to ${sum}, its deposit is ${totals.net}`);
  return lines.filter(({ cents }) => cents !== 0);
}

/** Formats a day as in Australian books, DD/MM/YYYY. */
const slashed = (day: string): string => day.split('-').toReversed().join('/');

/**
 * Writes a precoded bank statement for Xero: the columns of its statement template ("Import a CSV bank statement", Xero
 * Central), then account and tax rate. Lines of a payout have its reference and add up to the deposit.
 */
export function xeroCsv(advices: AdviceFacts[], payee: string, { income }: BookAccounts): string {
  const rows = advices.flatMap((facts) =>
    linesOf(facts).map(({ text, cents }) => [
      slashed(facts.paidOn),
      dollars(cents),
      textCell(payee),
      textCell(text),
      textCell(facts.reference),
      '',
      textCell(income),
      textCell('BAS Excluded'),
    ]),
  );
  if (rows.length > maxXeroLines)
    throw new InvalidInput(
      `Xero takes ${maxXeroLines} lines in a file, and these are ${rows.length}; choose fewer days.`,
    );
  const head = ['*Date', '*Amount', 'Payee', 'Description', 'Reference', 'Check Number', 'Account Code', 'Tax Type'];
  return csv([head, ...rows]);
}

const myobHead = [
  ...['Journal Number', 'Date', 'Memo', 'Account Number', 'Is Credit', 'Amount', 'Job', 'Allocation Memo'],
  ...['Category', 'Is Year-End Adjustment'],
];
const emptyRow = myobHead.map(() => '');

/** MYOB accepts 255 characters; a cell that looks like a formula gets a mark before it. */
const maxMyobText = 254;
const myobAccount = /^\d[^\d\s]?\d{4}$/;

/** Returns the two accounts as MYOB numbers them; throws InvalidInput for those that it would refuse. */
function myobAccounts({ income, bank = '' }: BookAccounts): Record<'income' | 'bank', string> {
  const problems = {
    ...(!myobAccount.test(income) && { income: 'Please enter its number in MYOB, such as 4-1000' }),
    ...(!myobAccount.test(bank) && { bank: 'Please enter the account where deposits arrive, such as 1-1110' }),
  };
  if (Object.keys(problems).length > 0)
    throw new InvalidInput('A file for MYOB names two accounts of five digits, such as 4-1000 and 1-1110.', problems);
  return { income, bank };
}

/**
 * Writes general journal entries for MYOB AccountRight, in the fields of its general journals ("Import and export
 * fields", MYOB help): one for each payout, the deposit to the bank account against the lines. Amounts are unsigned
 * there.
 */
export function myobCsv(advices: AdviceFacts[], accounts: BookAccounts): string {
  const { income, bank } = myobAccounts(accounts);
  const row = (facts: AdviceFacts, account: string, { text, cents }: Line, isCredit: boolean): string[] => [
    '',
    slashed(facts.paidOn),
    textCell(`Payout ${facts.reference}`),
    textCell(account),
    isCredit === cents > 0 ? 'Y' : 'N',
    dollars(cents < 0 ? negate(cents) : cents),
    '',
    textCell(text.slice(0, maxMyobText)),
    '',
    '',
  ];
  const journals = advices.map((facts) => [
    row(facts, bank, { text: `Deposit ${facts.reference}`, cents: facts.totals.net }, false),
    ...linesOf(facts).map((line) => row(facts, income, line, true)),
  ]);
  const apart = journals.flatMap((rows, at) => (at === 0 ? rows : [emptyRow, ...rows]));
  return csv([['{}', ...emptyRow.slice(1)], myobHead, ...apart]);
}

/** Days of a statement, and when it was made. */
export interface StatementOf {
  from: IsoDate;
  to: IsoDate;
  madeAt: Date;
}

/** Returns a name of a club's payouts as an account, permanent and within OFX's 22 characters. */
const payoutsAccount = (clubId: string): string => `CLUB-${clubId.replaceAll('-', '').slice(-12).toUpperCase()}`;

/**
 * Writes payouts of a club, one or more, as the statement of a clearing account: an entry for each with its reference,
 * and balances that count these payouts alone, from zero.
 */
export function payoutStatement(
  advices: AdviceFacts[],
  payee: string,
  format: keyof typeof statementFormats,
  { from, to, madeAt }: StatementOf,
): string {
  const { head, entry, end }: StatementFormat = statementFormats[format];
  const statement = {
    account: payoutsAccount(advices[0]?.club.id ?? ''),
    kind: 'PAYOUTS',
    holder: advices[0]?.club.name ?? '',
    ...{ from, to, madeAt },
    openingCents: noCents,
    closingCents: total(advices.map(({ totals }) => totals.net)),
  };
  const entries = advices
    .toSorted((one, other) => (one.paidOn < other.paidOn ? -1 : 1))
    .map((facts) =>
      entry({
        id: facts.reference,
        day: isoDate(facts.paidOn),
        cents: facts.totals.net,
        payee,
        words: `Payout ${facts.reference} of ${counted(facts.days.length, 'day')}`,
        parts: linesOf(facts),
      }),
    );
  return [head(statement), ...entries, end(statement)].join('');
}
