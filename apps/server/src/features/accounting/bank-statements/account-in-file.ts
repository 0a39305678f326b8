import type { Db } from '#db/connect.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { SentFile } from './open-statement.ts';
import { type OpenedStatement, withStatement } from './read-statement.ts';
import { AccountQuestion } from './several-statements.ts';
import { type GivenAccount, isNumberOf, listKnownAccounts } from './statement-account.ts';

export interface GivenPlace extends GivenAccount {
  /** Place, from 1, of our account among those of a file that has several. */
  accountInFile?: number | undefined;
}

/** Returns whether two numbers are one account's, as banks write them with or without the BSB. */
function isSame(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((each) => each.replace(/\D/g, ''))
    .sort((a, b) => a.length - b.length);
  return short.length >= 4 && long.endsWith(short);
}

/** Returns the place of the only account of a file that is ours, by the number given or by known ones; else undefined. */
async function placeOfOurs(
  db: Db,
  encryption: Pick<FieldEncryption, 'hash'>,
  { accounts }: AccountQuestion,
  { account: given }: GivenAccount,
): Promise<number | undefined> {
  const known = await listKnownAccounts(db);
  const isOurs = (number: string) =>
    given ? isSame(number, given) : known.some((each) => isNumberOf(each, number, encryption) === true);
  const [found, ...others] = accounts.filter(({ number }) => isOurs(number));
  return others.length === 0 && found ? accounts.indexOf(found) + 1 : undefined;
}

interface Deps {
  db: Db;
  encryption: Pick<FieldEncryption, 'hash'>;
}

/** Reads our account's statement of a file, as withStatement does; throws AccountQuestion if it is not certain which is ours. */
export async function withOurStatement<Result>(
  { db, encryption }: Deps,
  file: SentFile,
  given: GivenPlace,
  work: (statement: OpenedStatement) => Promise<Result>,
): Promise<Result> {
  try {
    return await withStatement({ ...file, accountInFile: given.accountInFile }, work);
  } catch (error) {
    const isOpen = error instanceof AccountQuestion && given.accountInFile === undefined;
    const accountInFile = isOpen ? await placeOfOurs(db, encryption, error, given) : undefined;
    if (accountInFile === undefined) throw error;
    return withStatement({ ...file, accountInFile }, work);
  }
}
