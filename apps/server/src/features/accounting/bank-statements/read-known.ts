import { createHash } from 'node:crypto';
import { addDays, type Cents, type IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { AccountHistory } from './decide-import.ts';
import type { StatementFacts } from './open-statement.ts';
import type { OpenedStatement } from './read-statement.ts';
import {
  accountOfStatement,
  type GivenAccount,
  type KnownAccount,
  listKnownAccounts,
  refuseFileOfAnother,
} from './statement-account.ts';
import { readKnownBalance } from './statement-balance.ts';
import { listKnownByIds, listKnownPages, openingId } from './statement-line-repository.ts';

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

interface KnownOfStatement {
  account: string;
  accountHashes: string[] | null;
  /** True if no statement of the account was imported before. */
  isNewAccount: boolean;
  /** Hash of the file as one of this account. */
  fileHash: string;
  history: AccountHistory;
}

const isUnknown = (known: readonly KnownAccount[], account: string) => known.every((each) => each.account !== account);

/**
 * Finds a statement's account, gives the process that reads it the lines known of its days, and returns the account's
 * history. Throws StatementProblem if the account is not certain.
 */
export async function readKnown(
  tx: Db,
  encryption: Pick<FieldEncryption, 'hash'>,
  statement: OpenedStatement,
  given: GivenAccount,
): Promise<KnownOfStatement> {
  const { facts } = statement;
  const known = await listKnownAccounts(tx);
  const found = accountOfStatement(known, facts, given, encryption);
  const { account } = found;
  const hashUnder = (each: string) => hashOf(`${each} ${facts.fileHash}`);
  const hashes = known.map((each) => hashUnder(each.account));
  await refuseFileOfAnother(tx, account, hashes, given);
  await giveKnownLines(tx, account, statement);
  const history = await readHistory(tx, account, facts);
  return { ...found, isNewAccount: isUnknown(known, account), fileHash: hashUnder(account), history };
}

/** Days by which a line's date may differ between one bank's lists: booking or value date. */
const maxDaysApart = 5;

/** Gives the process that reads a file the known lines of its days and ids. */
async function giveKnownLines(tx: Db, account: string, { facts, nextIds, keepKnown }: OpenedStatement): Promise<void> {
  const { firstDay, lastDay } = facts;
  if (firstDay === undefined || lastDay === undefined) return;
  const days = { from: addDays(firstDay, -maxDaysApart), to: addDays(lastDay, maxDaysApart) };
  for await (const page of listKnownPages(tx, account, days)) await keepKnown(page);
  for (let ids = await nextIds(); ids; ids = await nextIds()) {
    const page = await listKnownByIds(tx, account, days, ids);
    if (page) await keepKnown(page);
  }
}

async function readHistory(tx: Db, account: string, facts: StatementFacts): Promise<AccountHistory> {
  const [before] = await tx`select 1 from bank_statement_lines where account = ${account} limit 1`;
  const [opening] = await tx<{ day: IsoDate }[]>`
    select booked_on as day from bank_statement_lines where account = ${account} and line_id = ${openingId}`;
  const accepted = await tx<{ cents: Cents }[]>`
    select distinct difference_cents as cents from bank_statements where account = ${account}`;
  return {
    hasLines: before !== undefined,
    balance: before ? await readKnownBalance(tx, account, facts) : undefined,
    openingDay: opening?.day,
    acceptedCents: accepted.map(({ cents }) => cents),
  };
}
