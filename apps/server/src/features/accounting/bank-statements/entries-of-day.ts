import { add, type Cents, formatCents, type IsoDate, subtract, total } from '@sparechange/domain';
import {
  type StatementEntry,
  type StatementHead,
  statementFormats,
} from '#features/disbursements/remittance-advice/statement-files.ts';
import type { ProviderAccount, ProviderEntry } from '#ports/direct-debit.ts';
import { StatementProblem } from './statement-file.ts';

/** Balances of a day of an account. */
interface Balances {
  openingCents: Cents;
  closingCents: Cents;
}

/** Counts each value of a list, less those of another. */
function left(values: readonly Cents[], others: readonly Cents[]): Cents[] {
  const counts = new Map<Cents, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of others) counts.set(value, (counts.get(value) ?? 0) - 1);
  return [...counts].flatMap(([value, count]) => (count > 0 ? [value] : []));
}

/**
 * Returns the balances before and after some entries, whose sequence is not certain. Each entry leads from one balance to
 * another, so that only the first starts from a balance that none led to. Throws StatementProblem if an entry is missing.
 */
export function balancesOf(entries: readonly Pick<ProviderEntry, 'at' | 'amount' | 'balanceAfter'>[]): Balances {
  const after = entries.map(({ balanceAfter }) => balanceAfter);
  const before = entries.map(({ balanceAfter, amount }) => subtract(balanceAfter, amount));
  const [first, ...others] = left(before, after);
  // In a round all balances meet: it ends where its earliest entry began.
  const earliest = entries.reduce((one, other) => (other.at < one.at ? other : one));
  const openingCents = first ?? subtract(earliest.balanceAfter, earliest.amount);
  if (others.length > 0)
    throw new StatementProblem(
      `An entry is missing: the entries begin at ${formatCents(openingCents)} and again at ${formatCents(others[0] ?? openingCents)}.`,
    );
  return { openingCents, closingCents: add(openingCents, total(entries.map(({ amount }) => amount))) };
}

/** Writes the entries that a provider booked on a Sydney day as a statement, to import like a bank's. */
export function writeDay(
  { name, number }: Pick<ProviderAccount, 'name' | 'number'>,
  day: IsoDate,
  entries: readonly ProviderEntry[],
  madeAt: Date,
): string {
  const { head, entry, end } = statementFormats.camt053;
  const statement: StatementHead = {
    ...balancesOf(entries),
    ...{ account: number, kind: 'FLOAT', holder: name, from: day, to: day, madeAt },
  };
  const toEntry = ({ id, amount, description, reference }: ProviderEntry): StatementEntry => ({
    ...{ id, day, cents: amount, payee: name },
    words: [description, reference].filter(Boolean).join(' '),
  });
  return [head(statement), ...entries.map((each) => entry(toEntry(each))), end(statement)].join('');
}
