import { folded, type IsoDate } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { isHeld, isPaused } from '#features/core/debiting/conditions.ts';
import { keptAddress } from '#kept-address.ts';
import { isUuid } from '#uuid.ts';

export interface FoundSupporter {
  supporterId: string;
  firstName: string;
  lastName: string;
  email: string;
  mobile: string;
  tenant: string;
  club: string;
  onboardedOn: IsoDate | null;
  isClosed: boolean;
  isOnHold: boolean;
  isPaused: boolean;
}

export interface SupporterSearch {
  /** Detected kind of the text. */
  by: 'id' | 'email' | 'mobile' | 'reference' | 'name';
  supporters: FoundSupporter[];
  /** Further matches that are not listed, counted up to `maxCounted`. */
  leftOut: number;
}

/** Maximum number of matches counted; beyond it a longer name is needed. */
export const maxCounted = 1_000;
const maxWords = 5;
const reference = /^(RU|SV|RF)[0-9A-F]{7,16}$/;

export type SupporterState = 'on_hold' | undefined;

/** A hold no longer counts once the account is closed, as nobody can release it then. */
const isOnHold = (db: Db) => db`(closed_on is null and ${isHeld(db, 'supporters')})`;

const isIn = (db: Db, state: SupporterState) => (state === 'on_hold' ? isOnHold(db) : db`true`);

const columns = (db: Db) => db`
  supporter_id as "supporterId", first_name as "firstName", last_name as "lastName", email, mobile, tenant_key as tenant,
  club.name as club, onboarded_on as "onboardedOn", closed_on is not null as "isClosed",
  ${isOnHold(db)} as "isOnHold",
  ${isPaused(db, 'supporters')} as "isPaused"`;

/**
 * Finds supporters by the beginning of their address, by id, by mobile number in any spelling, by the reference on a bank statement, or by the
 * beginnings of names. Open accounts come first.
 */
export async function searchSupporters(
  pool: Pool,
  text: string,
  limit: number,
  state?: SupporterState,
): Promise<SupporterSearch> {
  const { by, which: isFound } = kindOf(pool, text.trim());
  const which = pool`(${isFound}) and ${isIn(pool, state)}`;
  const find = (db: Db) => db<FoundSupporter[]>`
    select ${columns(db)} from supporters join clubs club on club.id = supporters.club_id
    where ${which} order by closed_on is not null, lower(last_name) collate "C", lower(first_name) collate "C", registered_at, supporter_id
    limit ${limit}`;
  const supporters = (await rowsOf(pool.inBuckets(), find)).sort(inOrder).slice(0, limit);
  if (supporters.length < limit) return { by, supporters, leftOut: 0 };
  const countUpTo = (db: Db) => db<{ count: number }[]>`
    select count(*) as count from (select from supporters where ${which} limit ${maxCounted}) as matched`;
  const { count } = sumsOf(await rowsOf(pool.inBuckets(), countUpTo));
  return { by, supporters, leftOut: Math.min(count, maxCounted) - supporters.length };
}

export interface NewSupporter extends FoundSupporter {
  registeredAt: Date;
}

/** Returns the cursor of the next page. */
export const cursorOf = ({ registeredAt, supporterId }: NewSupporter): string =>
  `${registeredAt.getTime()}.${supporterId}`;

/** Lists supporters by registration, newest first: all, or those in a state. */
export async function listNewest(
  pool: Pool,
  { after, limit, state }: { after?: string | undefined; limit: number; state?: SupporterState },
): Promise<NewSupporter[]> {
  const [at, last = ''] = after?.split('.') ?? [];
  const list = (db: Db) => db<NewSupporter[]>`
    select ${columns(db)}, registered_at as "registeredAt" from supporters join clubs club on club.id = supporters.club_id
    where ${isIn(db, state)}
      ${at ? db`and (registered_at, supporter_id) < (${new Date(Number(at))}, ${last})` : db``}
    order by registered_at desc, supporter_id desc limit ${limit}`;
  const supporters = await rowsOf(pool.inBuckets(), list);
  const newestFirst = (one: NewSupporter, other: NewSupporter) =>
    Number(other.registeredAt) - Number(one.registeredAt) || (one.supporterId < other.supporterId ? 1 : -1);
  return supporters.sort(newestFirst).slice(0, limit);
}

const inPlainOrder = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Merges the results of several buckets, each in this order, which pages of a search rely on. */
const inOrder = (one: FoundSupporter, other: FoundSupporter): number =>
  Number(one.isClosed) - Number(other.isClosed) ||
  inPlainOrder(one.lastName.toLowerCase(), other.lastName.toLowerCase()) ||
  inPlainOrder(one.firstName.toLowerCase(), other.firstName.toLowerCase());

function kindOf(db: Db, written: string) {
  const compact = written.toUpperCase().replace(/[\s-]/g, '');
  const digits = written.replace(/\D/g, '');
  if (isUuid(written)) return { by: 'id' as const, which: db`supporter_id = ${written}` };
  if (written.includes('@')) return { by: 'email' as const, which: hasAddress(db, written) };
  if (reference.test(compact)) return { by: 'reference' as const, which: hasReference(db, `${compact}%`) };
  if (digits.length >= 9 && !/\p{L}/u.test(written)) return { by: 'mobile' as const, which: hasMobile(db, digits) };
  return { by: 'name' as const, which: hasName(db, written) };
}

/** Returns a pattern of the texts that begin with this one. */
const startOf = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

const hasAddress = (db: Db, start: string) => db`email like ${startOf(keptAddress(start))}`;

/** Compares the last nine digits, the same in every spelling: 0412 345 678, +61 412 345 678, 61412345678. */
const hasMobile = (db: Db, digits: string) => db`
  right(regexp_replace(mobile, '\\D', '', 'g'), 9) = ${digits.slice(-9)}`;

const hasReference = (db: Db, start: string) => db`
  supporter_id in (
    select supporter_id from debits where reference like ${start}
    union all select supporter_id from deposits where reference like ${start}
    union all select supporter_id from repayments where reference like ${start})`;

/**
 * Matches each word with the beginning of a word of the name; one of them begins the first or the last name, which an
 * index finds. A single word may also begin the address.
 */
function hasName(db: Db, written: string) {
  const words = folded(written).split(/\s+/).filter(Boolean).slice(0, maxWords);
  const starts = words.map(startOf);
  if (starts.length === 0) return db`false`;
  const all = starts.map((start) => db`' ' || folded(first_name) || ' ' || folded(last_name) like ${`% ${start}`}`);
  const some = starts.map((start) => db`folded(last_name) like ${start} or folded(first_name) like ${start}`);
  const joined = (parts: ReturnType<typeof hasMobile>[], word: 'and' | 'or') =>
    parts.reduce((so, part) => (word === 'and' ? db`${so} and ${part}` : db`${so} or ${part}`));
  const named = db`(${joined(some, 'or')}) and ${joined(all, 'and')}`;
  return /\s/.test(written) ? named : db`(${named}) or ${hasAddress(db, written)}`;
}
