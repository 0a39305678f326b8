import { maskAccountNumber, nameOfAccount, unnamedAccount } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { StatementProblem } from './statement-file.ts';

export interface GivenAccount {
  /** The number or name that the person gave, if any. */
  account?: string | undefined;
  /** The person says that its statements were never imported before. */
  isNew?: boolean | undefined;
}

/** Masks an account number however it is spelled. */
const masked = (number: string): string => maskAccountNumber(number.replace(/\D/g, '') || number);

/**
 * Finds the account meant among those known: as it is listed, by its number, or by its last digits, as banks write it
 * with or without the BSB.
 */
function findKnown(known: readonly string[], named: string): string | undefined {
  const listed = known.find((each) => each === named || each === masked(named));
  if (listed) return listed;
  const alike = known.filter((each) => each.slice(-4) === masked(named).slice(-4));
  return alike.length === 1 ? alike[0] : undefined;
}

const problem = (words: string) => new StatementProblem(words, { account: words });

/**
 * Returns the masked account by which a statement's lines are known. Throws where that is not certain: the same lines
 * under another account would be booked twice.
 */
export async function accountOfStatement(
  tx: Db,
  inFile: string | undefined,
  { account: given, isNew = false }: GivenAccount,
): Promise<string> {
  const rows = await tx<{ account: string }[]>`
    select account from bank_statements union select account from bank_statement_lines order by account`;
  const known = rows.map(({ account }) => account);
  const names = known.map(nameOfAccount).join(', ');
  const named = [inFile, given].flatMap((name) => name || []);
  const [first] = named;
  if (first === undefined && isNew) throw problem('Please give the number of the other account.');
  if (first === undefined) {
    if (known.length > 1) throw problem(`Please say which account it is: ${names}.`);
    return known[0] ?? unnamedAccount;
  }
  if (known.length === 0 || (isNew && !known.includes(masked(first)))) return masked(first);
  const found = named.map((name) => findKnown(known, name)).find((account) => account !== undefined);
  if (found) return found;
  throw problem(
    `Only statements of ${names} were imported before. Please give one of them as the account, or say that ${masked(first)} is another one.`,
  );
}
