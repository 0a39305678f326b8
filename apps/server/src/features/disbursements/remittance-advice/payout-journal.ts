import { fullDay, isoDate, negate } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { InvalidInput } from '#errors.ts';
import { type BookAccounts, linesOf, type StatementOf } from './accounting-files.ts';
import type { AdviceFacts } from './advice-repository.ts';
import { JournalText, remarkText } from './journal-text.ts';

/** Accounts under which every account of beancount stands. */
const roots = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'];

/** A name, or parts between colons, that beancount, ledger and hledger take. */
const accountName = /^[A-Z\d][A-Za-z\d-]*(?::[A-Z\d][A-Za-z\d-]*)*$/;

/** Returns an account by its whole name, under `root` unless it names one; undefined for a name that programs refuse. */
function accountUnder(root: string, written: string): string | undefined {
  const name = roots.includes(written.split(':')[0] ?? '') ? written : `${root}:${written}`;
  return accountName.test(name) && !roots.includes(name) ? name : undefined;
}

/** Returns the two accounts by their names in a journal; throws InvalidInput for those that programs would refuse. */
function journalAccounts({ income, bank }: BookAccounts): Record<'income' | 'bank', string> {
  const names = { income: accountUnder('Income', income), bank: accountUnder('Assets', bank || 'Bank') };
  const problems = {
    ...(names.income === undefined && { income: 'Please enter its name, such as Income:Donations' }),
    ...(names.bank === undefined && { bank: 'Please enter its name, such as Assets:Bank' }),
  };
  if (names.income === undefined || names.bank === undefined)
    throw new InvalidInput(
      'A journal names two accounts in letters, digits and hyphens, such as Income:Donations and Assets:Bank.',
      problems,
    );
  return { income: names.income, bank: names.bank };
}

/**
 * Writes payouts of a club as a plain-text journal of its own books: one transaction for each, the deposit to the bank
 * account against its lines. The last line counts the transactions, so that a part is not taken for the whole.
 */
export function payoutJournal(
  advices: AdviceFacts[],
  payee: string,
  accounts: BookAccounts,
  { from, to }: Pick<StatementOf, 'from' | 'to'>,
): string {
  const { income, bank } = journalAccounts(accounts);
  const text = new JournalText();
  const transactions = advices
    .toSorted((one, other) => (one.paidOn < other.paidOn ? -1 : Number(one.paidOn > other.paidOn)))
    .map((facts) =>
      text.transaction({
        day: isoDate(facts.paidOn),
        title: `Payout ${remarkText(facts.reference)}`,
        remarks: [
          ['ref', facts.reference],
          ['payer', payee],
        ],
        legs: [
          { account: bank, cents: facts.totals.net, remark: `Deposit ${facts.reference}` },
          ...linesOf(facts).map((line) => ({ account: income, cents: negate(line.cents), remark: line.text })),
        ],
      }),
    );
  const head = [
    `Payouts to ${remarkText(advices[0]?.club.name ?? '')}, ${fullDay(from)} to ${fullDay(to)}, for beancount, ledger and hledger.`,
    'Debits are positive, credits negative. Leave out a line that opens an account where your books open it already.',
  ];
  return [
    ...head.map((line) => `; ${line}\n`),
    '\n',
    ...transactions,
    `; end: ${counted(transactions.length, 'transaction')}\n`,
  ].join('');
}
