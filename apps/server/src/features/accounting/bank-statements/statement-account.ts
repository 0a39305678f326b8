import { maskAccountNumber, nameOfAccount, unnamedAccount } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { type FieldEncryption, keyIdLength } from '#secrets/field-encryption.ts';
import { type StatementFile, StatementProblem } from './statement-file.ts';

export interface GivenAccount {
  /** Number or name that the person gave, if any. */
  account?: string | undefined;
  /** True if the person states that its statements were never imported before. */
  isNew?: boolean | undefined;
}

type Hashing = Pick<FieldEncryption, 'hash'>;

export interface KnownAccount {
  /**
   * Name under which its lines are stored: the masked number, after its position if another account has the same one.
   */
  account: string;
  /** Numbers from statements, hashed by hashesOf; none if no statement had one. */
  numbers: readonly (readonly string[])[];
}

/** Masks an account number in any spelling. */
const masked = (number: string): string => maskAccountNumber(number.replace(/\D/g, '') || number);

/** Returns an account's mask without its position among equal masks. */
const maskOf = (account: string): string => account.replace(/^\d+-(?=X)/, '');

/** Fewer digits are only a mask's visible ones. The longest number is an IBAN. */
const [fewestDigits, mostDigits] = [5, 34];

/**
 * Hashes the last five digits of a number, the last six and so on up to the whole of it, under each key. Numbers of
 * more or fewer digits are compared by these, as banks write them with or without the BSB.
 */
function hashesOf(number: string, { hash }: Hashing): string[][] {
  const digits = number.replace(/\D/g, '').slice(-mostDigits);
  const byLength: string[][] = [];
  for (let length = fewestDigits; length <= digits.length; length += 1)
    byLength.push(hash(`bank statement account ${digits.slice(-length)}`).map((each) => each.toString('hex')));
  const [keys = []] = byLength;
  return keys.map((_, key) => byLength.flatMap((hashes) => hashes[key] ?? []));
}

/** Returns the id of the key, with which a hash begins, two digits a byte. */
const keyIdOf = ([hash = '']: readonly string[]): string => hash.slice(0, 2 * keyIdLength);

/** Returns whether a number is a known account's, by the digits that both have; undefined if that is not known. */
export function isNumberOf({ numbers }: KnownAccount, number: string, hashing: Hashing): boolean | undefined {
  const own = hashesOf(number, hashing);
  const compared = numbers.flatMap((kept) => {
    const ofKey = own.find((each) => keyIdOf(each) === keyIdOf(kept)); // an older key may be gone
    const place = Math.min(ofKey?.length ?? 0, kept.length) - 1;
    return ofKey ? ofKey[place] === kept[place] : [];
  });
  return compared.length === 0 ? undefined : compared.every(Boolean);
}

/**
 * Finds the intended account among known ones: by its listed name, by its number, or if that is not stored, by its last
 * four digits.
 */
function findKnown(known: readonly KnownAccount[], named: string, hashing: Hashing): string | undefined {
  if (known.some(({ account }) => account === named)) return named;
  const alike = known
    .filter(({ account }) => account.slice(-4) === masked(named).slice(-4))
    .map((each) => ({ account: each.account, isSame: isNumberOf(each, named, hashing) }))
    .filter(({ isSame }) => isSame !== false);
  const certain = alike.filter(({ isSame }) => isSame);
  const left = certain.length > 0 ? certain : alike;
  const masks = left.filter(({ account }) => maskOf(account) === masked(named));
  const [found, ...others] = masks.length > 0 ? masks : left;
  return others.length === 0 ? found?.account : undefined;
}

/** Names a new account by its masked number, led by its position if known ones have the same mask: 2-XXXX5678. */
function nameOfNew(known: readonly KnownAccount[], number: string): string {
  const place = known.filter(({ account }) => maskOf(account) === masked(number)).length + 1;
  return place === 1 ? masked(number) : `${place}-${masked(number)}`;
}

/** Returns whether two accounts are known to differ: both end in digits, and in different ones. */
function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [last, otherLast] = [one, other].map((number = '') => number.replace(/\D/g, '').slice(-4));
  return Boolean(last && otherLast) && last !== otherLast;
}

/** Lists the accounts with imported lines. */
export async function listKnownAccounts(tx: Db): Promise<KnownAccount[]> {
  const accounts = await tx<{ account: string }[]>`
    select account from bank_statements union select account from bank_statement_lines order by account`;
  const numbers = await tx<{ account: string; hashes: string[] }[]>`
    select distinct account, account_hashes as hashes from bank_statements where account_hashes is not null`;
  return accounts.map(({ account }) => ({
    account,
    numbers: numbers.flatMap((each) => (each.account === account ? [each.hashes] : [])),
  }));
}

const problem = (words: string) => new StatementProblem(words, { account: words });

/**
 * Returns the account by which a statement's lines are known. Throws if that is not certain: the same lines under
 * another account would be booked twice.
 */
function findAccount(
  known: readonly KnownAccount[],
  { account: inFile, isAccountOfRows = false }: Pick<StatementFile, 'account' | 'isAccountOfRows'>,
  { account: given, isNew = false }: GivenAccount,
  hashing: Hashing,
): string {
  const names = known.map(({ account }) => nameOfAccount(account)).join(', ');
  const named = [inFile, given].flatMap((name) => name || []);
  const [first] = named;
  const find = (name: string) => findKnown(known, name, hashing);
  // A number of its own, as camt.053 may have it, is that of a known account once a person confirms it; a column can be
  // left out.
  const isNumberOfKnown = !isAccountOfRows && !isNew && inFile && !find(inFile) && known.length > 0;
  if (inFile && given && isAnother(inFile, given) && !isNumberOfKnown)
    throw problem(
      `The file is of the account ${find(inFile) ?? masked(inFile)}, not of ${find(given) ?? masked(given)}. Choose the file of that account${isAccountOfRows ? ', or delete the column if it names the same one in other digits' : ''}.`,
    );
  if (first === undefined && isNew) throw problem('Please give the number of the other account.');
  if (first === undefined) {
    if (known.length > 1) throw problem(`Please say which account it is: ${names}.`);
    return known[0]?.account ?? unnamedAccount;
  }
  const isKnown = known.some((each) => maskOf(each.account) === masked(first) && find(first) === each.account);
  if (known.length === 0 || (isNew && !isKnown)) return nameOfNew(known, first);
  const found = named.map(find).find((account) => account !== undefined);
  if (found) return found;
  throw problem(
    `Only statements of ${names} were imported before. Please give one of them as the account, or say that ${nameOfNew(known, first)} is another one.`,
  );
}

/**
 * Returns the account by which a statement's lines are known, with keyed hashes of its number if file or person give
 * it. They distinguish it from others with the same last digits, and the number itself is never stored.
 */
export function accountOfStatement(
  known: readonly KnownAccount[],
  file: Pick<StatementFile, 'account' | 'isAccountOfRows'>,
  given: GivenAccount,
  hashing: Hashing,
): { account: string; accountHashes: string[] | null } {
  const account = findAccount(known, file, given, hashing);
  const isListed = (name: string) => known.some((each) => each.account === name);
  const number = [file.account, given.account]
    .flatMap((name) => name || [])
    .find((name) => !isListed(account) || (!isListed(name) && findKnown(known, name, hashing) === account));
  return { account, accountHashes: hashesOf(number ?? '', hashing)[0] ?? null };
}

/**
 * Throws if a file was imported for another account alone, unless the person confirms the new one, since its lines
 * would be booked twice. `hashes` are those that would identify the file under each account.
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
