import { maskAccountNumber, nameOfAccount, unnamedAccount } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';

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

/** Returns whether two accounts are known to differ: both end in digits, and in others. */
function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [last, otherLast] = [one, other].map((number = '') => number.replace(/\D/g, '').slice(-4));
  return Boolean(last && otherLast) && last !== otherLast;
}

/** Lists the masked accounts of which something was imported. */
export async function listKnownAccounts(tx: Db): Promise<string[]> {
  const rows = await tx<{ account: string }[]>`
    select account from bank_statements union select account from bank_statement_lines order by account`;
  return rows.map(({ account }) => account);
}

const problem = (words: string) => new StatementProblem(words, { account: words });

/**
 * Returns the masked account by which a statement's lines are known. Throws where that is not certain: the same lines
 * under another account would be booked twice.
 */
export function accountOfStatement(
  known: readonly string[],
  { account: inFile, isAccountOfRows = false }: Pick<StatementFile, 'account' | 'isAccountOfRows'>,
  { account: given, isNew = false }: GivenAccount,
): string {
  const names = known.map(nameOfAccount).join(', ');
  const named = [inFile, given].flatMap((name) => name || []);
  const [first] = named;
  // A number of its own, as camt.053 may have it, is that of a known account once a person says so; a column can be left out.
  const isNumberOfKnown = !isAccountOfRows && !isNew && inFile && !findKnown(known, inFile) && known.length > 0;
  if (inFile && given && isAnother(inFile, given) && !isNumberOfKnown)
    throw problem(
      `The file is of the account ${findKnown(known, inFile) ?? masked(inFile)}, not of ${findKnown(known, given) ?? masked(given)}. Choose the file of that account${isAccountOfRows ? ', or delete the column if it names the same one in other digits' : ''}.`,
    );
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

/**
 * Throws where a file was imported for another account alone, unless the person says that this is another one's: its lines
 * would be booked twice. `hashes` are those by which the file would be known under each account.
 */
export async function refuseFileOfAnother(
  tx: Db,
  account: string,
  hashes: readonly string[],
  { isNew = false }: GivenAccount,
): Promise<void> {
  if (isNew) return;
  const imported = await tx<
    { account: string }[]
  >`select account from bank_statements where file_hash = any(${hashes})`;
  const [first] = imported;
  if (!first || imported.some((each) => each.account === account)) return;
  throw problem(
    `This file was imported before, as a statement of ${nameOfAccount(first.account)}. Choose that account, or say that it is another account.`,
  );
}
