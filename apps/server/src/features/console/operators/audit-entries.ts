import type { AuditEntry } from '@sparechange/contract/console';
import { z } from 'zod';
import { idsNamed, operatorsChain, personNamed } from '#audit/audit-log.ts';
import { findLastCheckpoint } from '#audit/checkpoint-repository.ts';
import type { Db, Pool } from '#db/connect.ts';
import { namedClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import { isUuid } from '#uuid.ts';
import { idsOf } from './operator-repository.ts';

export interface EntryFilter {
  after?: string | undefined;
  limit: number;
  search?: string | undefined;
  /** Comma-separated codes of further acts that the search finds. */
  acts?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  personId?: string | undefined;
  supporterId?: string | undefined;
}

interface Row {
  id: string;
  at: Date;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

/** Condition: one of these people of the console did it. */
const isBy = (db: Db, people: string[]) => db`
  or details ->> 'operator' = any(${people}::text[])
  or details ->> 'by' = any(${people.map((person) => `console ${person}`)}::text[])`;

/**
 * Reads a page of one chain, newest first, without refusals of calls, which are shown with their calls; days are
 * Sydney's. An id is found by the index of those that entries name, other text by reading the chain: in the stored
 * text, and in the names and addresses of the people acting.
 */
function selectEntries(db: Db, chain: string, filter: EntryFilter, people: string[]) {
  const { after, limit, search = '', acts, from, to, personId } = filter;
  const id = isUuid(search) ? search.toLowerCase() : null;
  return db<Row[]>`
    select id, at, actor, action, details from audit_log
    where supporter_id = ${chain} and not details ? 'call' and (${after ?? null}::uuid is null or id < ${after ?? null})
      and (${from ?? null}::date is null or at >= ${from ?? null}::date::timestamp at time zone 'Australia/Sydney')
      and (${to ?? null}::date is null or at < (${to ?? null}::date + 1)::timestamp at time zone 'Australia/Sydney')
      and (${personId ?? null}::text is null or details ->> 'operator' = ${personId ?? null}
        or details ->> 'by' = 'console ' || ${personId ?? null}::text)
      and (${id}::text is null or ${idsNamed(db)} @> array[${id}::text])
      and (position(folded(${search}) in folded(action || ' ' || details::text)) > 0
        ${acts ? db`or action = any(${acts.split(',')}::text[])` : db``}
        ${people.length > 0 ? isBy(db, people) : db``} or id in (
        select (details ->> 'call')::uuid from audit_log where supporter_id = ${chain} and details ? 'call'
          and position(folded(${search}) in folded(action || ' ' || details::text)) > 0))
    order by id desc limit ${limit}`;
}

/** Returns the codes of these entries that are refused calls, by an index of the ids that entries name. */
async function refusalsOf(db: Db, rows: readonly Row[]): Promise<Map<string, string>> {
  const calls = rows.flatMap(({ id, action }) => (action.startsWith('console ') ? id : []));
  if (calls.length === 0) return new Map();
  const refused = await db<{ call: string; code: string }[]>`
    select details ->> 'call' as call, details ->> 'refusal' as code from audit_log where supporter_id = ${operatorsChain}
      and ${idsNamed(db)} && ${calls}::text[]
      and details ->> 'call' = any(${calls}::text[])`;
  return new Map(refused.map(({ call, code }) => [call, code]));
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the id of the console's person acting. */
const personOf = ({ operator, by }: Row['details']): string | null =>
  textOf(operator) ?? personNamed(textOf(by) ?? '') ?? null;

/** Returns ids of the console's people in an entry. */
const peopleIn = (details: Row['details']): string[] =>
  [personOf(details), ...Object.values(details).map((value) => personNamed(textOf(value) ?? ''))].flatMap(
    (id) => id ?? [],
  );

const JsonObject = z.record(z.string(), z.unknown());

/** Reads the arguments of a request, stored as the text of an object; undefined for other values. */
function argumentsIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined;
  try {
    return JsonObject.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined; // somebody typed it
  }
}

/** Returns the ids that stand alone in details. */
const idsIn = (value: unknown): string[] => {
  if (typeof value === 'string' && isUuid(value)) return [value.toLowerCase()];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  const fields = argumentsIn(value);
  return fields ? Object.values(fields).flatMap(idsIn) : [];
};

/** Puts names in place of the ids of people and clubs, and of the requester of an act that somebody else agreed to. */
function named(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => named(each, names));
  const fields = argumentsIn(value);
  if (fields) return withNames(fields, names);
  const text = textOf(value) ?? '';
  return names.get((personNamed(text) ?? text).toLowerCase()) ?? value;
}

const withNames = (details: Row['details'], names: Map<string, string>): Row['details'] =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, named(value, names)]));

/** Lists operators' acts, or those concerning one supporter. */
export async function listAuditEntries(db: Pool, filter: EntryFilter): Promise<AuditEntry[]> {
  const { supporterId, search = '' } = filter;
  const people = search === '' || isUuid(search) ? [] : await idsOf(db, search);
  const rows = supporterId
    ? await selectEntries(db.of(supporterId), supporterId, filter, people)
    : await selectEntries(db, operatorsChain, filter, people);
  const refusals = await refusalsOf(db, rows);
  const ids = [
    ...new Set(rows.flatMap(({ details }) => [...peopleIn(details), ...Object.values(details).flatMap(idsIn)])),
  ];
  const clubs = await namedClubs(db, ids.filter(isUuid));
  const names = new Map([...clubs.values()].map(({ id, name }) => [id, name]));
  for (const [id, name] of await namesOfPeople(db, ids)) names.set(id, name);
  return rows.map(({ id, at, actor, action, details: { operator, by, ...details } }) => {
    const person = personOf({ operator, by });
    const who = (person && names.get(person)) ?? textOf(by);
    return {
      id,
      at: at.toISOString(),
      actor,
      by: who,
      action,
      refusal: refusals.get(id) ?? null,
      details: withNames(details, names),
    };
  });
}

/** Returns the last checkpoint, and when an alteration of the log was last found. */
export async function findAuditState(db: Pool) {
  const last = await findLastCheckpoint(db);
  const [changed] = await db<{ at: Date }[]>`
    select raised_at as at from alarms where name = 'audit_log_changed' order by raised_at desc limit 1`;
  return {
    checkpoint: last ? { number: last.number, madeAt: last.madeAt.toISOString(), entries: last.entries } : null,
    changedAt: changed?.at.toISOString() ?? null,
  };
}
