import { addDays, type Cents, described, formatCents, type IsoDate, shortDay, sydneyTime } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import { InvalidInput } from '#errors.ts';
import { type AlarmDeps, raiseAlarm } from '#features/core/alarms/alarms.ts';
import { today } from '#ports/clock.ts';
import type { DirectDebit, ProviderAccount, ProviderEntry } from '#ports/direct-debit.ts';
import { writeDay } from './entries-of-day.ts';
import { beginImport } from './import-in-background.ts';
import type { ImportDeps } from './import-statement.ts';
import { accountOfStatement, listKnownAccounts } from './statement-account.ts';
import { StatementProblem } from './statement-file.ts';
import { forgetDayTakenBack, listDaysTakenBack } from './take-back.ts';

export type EntryDeps = ImportDeps & AlarmDeps & { db: Pool; directDebit: Pick<DirectDebit, 'accounts'> };

export interface FetchedEntries {
  added: number;
  /** Days left for the next night. */
  daysLeft: number;
}

/** Days fetched in one night; a new installation on an old account takes several nights. */
const maxDays = 60;

/** Entries of a day that fit one import. */
const maxEntries = 250_000;

/** Days from a debit's clearing to our booking of it, after a long outage. */
const daysToBook = 10;

/**
 * Imports the entries that the provider booked on accounts it keeps for us, Sydney day by Sydney day until yesterday, as a
 * bank's statement, and alarms about entries that no payment explains. An account whose entries cannot all be right is left for
 * the next night, with an alarm. Throws at the end if the provider did not answer.
 */
export async function fetchEntries(deps: EntryDeps): Promise<FetchedEntries> {
  const { directDebit } = deps;
  const fetched: FetchedEntries = { added: 0, daysLeft: 0 };
  const failures: unknown[] = [];
  for (const account of await directDebit.accounts()) {
    const name = await accountOf(deps, account);
    const days = await daysToFetch(deps, name);
    fetched.daysLeft += Math.max(0, days.length - maxDays);
    for (const day of days.slice(0, maxDays))
      try {
        const added = await importDay(deps, account, day);
        if (added === undefined) await forgetDayTakenBack(deps.db, name, day);
        fetched.added += added ?? 0;
      } catch (error) {
        if (error instanceof InvalidInput) await alarmRefused(deps, account, day, error.message);
        else failures.push(error);
        break; // later days begin from this one's balance
      }
  }
  if (failures.length > 0) throw failures[0];
  return fetched;
}

const see = { page: 'Reconciliation' } as const;

const alarmRefused = (deps: EntryDeps, { name }: ProviderAccount, day: IsoDate, why: string): Promise<void> =>
  raiseAlarm(deps, {
    name: 'provider_entries_missing',
    about: today(deps.clock),
    sentence: `The entries of ${name} of ${shortDay(day)} were not imported. ${why} They are fetched again each night.`,
    see,
  });

/** Returns the account's name in the books. */
async function accountOf({ db, encryption }: EntryDeps, { number }: ProviderAccount): Promise<string> {
  const known = await listKnownAccounts(db);
  return accountOfStatement(known, { account: number }, { account: number, isNew: true }, encryption).account;
}

/**
 * Lists the Sydney days to fetch, oldest first: those taken back, and those after the last line, or since shortly before
 * the books begin, until yesterday.
 */
async function daysToFetch({ db, clock }: EntryDeps, account: string): Promise<IsoDate[]> {
  const [last] = await db<{ line: IsoDate | null; entry: IsoDate | null }[]>`
    select (select max(booked_on) from bank_statement_lines where account = ${account}) as line,
      (select min(booked_on) from platform_entries) as entry`;
  const days = new Set(await listDaysTakenBack(db, account));
  let day = last?.line ? addDays(last.line, 1) : last?.entry && addDays(last.entry, -daysToBook);
  for (; day && day < today(clock); day = addDays(day, 1)) days.add(day);
  return [...days].toSorted();
}

async function readDay(account: ProviderAccount, day: IsoDate): Promise<ProviderEntry[]> {
  const entries: ProviderEntry[] = [];
  for await (const entry of account.entries(sydneyTime(day, '00:00'), sydneyTime(addDays(day, 1), '00:00'))) {
    entries.push(entry);
    if (entries.length > maxEntries)
      throw new StatementProblem(`The day has more than ${counted(maxEntries, 'entry', 'entries')}.`);
  }
  return entries;
}

/** Imports a day's entries; returns the number of lines that are new, undefined if the day has no entries. */
async function importDay(deps: EntryDeps, account: ProviderAccount, day: IsoDate): Promise<number | undefined> {
  const entries = await readDay(account, day);
  if (entries.length === 0) return undefined;
  const content = writeDay(account, day, entries, deps.clock.now());
  const given = { account: account.number, isNew: true };
  const { work } = await beginImport(deps, `${account.name} ${day}`, content, given, { fetchedDay: day });
  const { statementId, added } = await work;
  await alarmUnexplained(deps, { account, day, entries, statementId });
  return added;
}

interface ImportedDay {
  account: ProviderAccount;
  day: IsoDate;
  entries: readonly ProviderEntry[];
  statementId: string;
}

/** Alarms about new entries that name no payment of ours; the others wait for their outcome, which polls read. */
async function alarmUnexplained(
  deps: EntryDeps,
  { account: { name }, day, entries, statementId }: ImportedDay,
): Promise<void> {
  const [found] = await deps.db<{ lines: number; cents: Cents; lineId: string }[]>`
    select count(*) over ()::int as lines, cents, line_id as "lineId" from bank_statement_lines
    where statements @> array[${statementId}::uuid] and matched_kind is null and reference is null
    order by abs(cents) desc, line_id limit 1`;
  if (!found) return;
  const { lines, cents, lineId } = found;
  const words = described(entries.find(({ id }) => id === lineId)?.description ?? '');
  const which = lines === 1 ? 'one entry' : `${counted(lines, 'entry', 'entries')}, the largest`;
  const sentence = `${name} has ${which} of ${formatCents(cents)} on ${shortDay(day)} that no payment explains: ${words}. Match it by hand, or ask the provider.`;
  await raiseAlarm(deps, { name: 'provider_entries_unexplained', about: day, sentence, see });
}
