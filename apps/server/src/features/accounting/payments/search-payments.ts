import type { PaymentState } from '@sparechange/contract/console';
import { addDays, type Cents, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { InvalidInput } from '#errors.ts';
import { searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import type { PaymentKind } from './parked-payments.ts';
import { hasReference, shortestReference, stateColumn } from './payment-repository.ts';

export interface ListedPayment {
  id: string;
  kind: PaymentKind;
  reference: string;
  amountCents: Cents;
  state: PaymentState;
  plannedAt: Date;
  supporter: { id: string; name: string; email: string } | null;
  club: { id: string; name: string } | null;
}

export interface PaymentFilter {
  search?: string | undefined;
  kind?: PaymentKind | undefined;
  state?: PaymentState | undefined;
  amount?: Cents | undefined;
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
  /** Cursor of the last payment on the previous page. */
  after?: { plannedAt: Date; id: string } | undefined;
  limit: number;
}

/** Payments matching a text: one by its reference, or those of people and clubs. */
type Found = { reference: string } | { supporterIds: string[]; clubIds: string[] };

const maxPeople = 50;
const maxClubs = 50;

/** The beginning of our reference, without blanks and hyphens. */
const ourReference = /^(RU|SV|RF|CL)([0-9A-F]{7,16}|(?=[A-F]*\d)[0-9A-F]{1,6})$/;
/** A provider's reference, such as PR.39p1 or, with bank files, DD.RU…. */
const providerReference = /^[A-Z]{1,2}\.\w+$/i;

/** Throws InvalidInput for a reference that is too short, and for a name with too many matches. */
async function find(pool: Pool, text: string): Promise<Found> {
  if (providerReference.test(text)) return { reference: text };
  const written = text.toUpperCase().replace(/[\s-]/g, '');
  if (ourReference.test(written)) {
    if (written.length >= shortestReference) return { reference: text };
    throw new InvalidInput(`Please enter at least the first ${shortestReference} letters of the reference.`);
  }
  const { by, supporters } = await searchSupporters(pool, text, maxPeople + 1);
  const clubs =
    by === 'name'
      ? await pool<{ id: string }[]>`
          select id from clubs where position(folded(${text}) in folded(name)) > 0 limit ${maxClubs + 1}`
      : [];
  if (supporters.length > maxPeople || clubs.length > maxClubs)
    throw new InvalidInput('Too many people or clubs have that name. Please enter more of it, or an e-mail address.');
  return { supporterIds: supporters.map(({ supporterId }) => supporterId), clubIds: clubs.map(({ id }) => id) };
}

const and = (db: Db, conditions: readonly (Part | false | undefined)[]): Part =>
  conditions.reduce<Part>((so, condition) => (condition ? db`${so} and ${condition}` : so), db`true`);

/** The state is written into the text: a generic plan with a parameter cannot use the partial indexes by state. */
function conditionOf(state: PaymentState): string {
  if (state === 'parked') return "state = 'submitting' and parked_at is not null";
  return state === 'submitting' ? "state = 'submitting' and parked_at is null" : `state = '${state}'`;
}

/** Selects by the columns that all payments have. */
const shared = (db: Db, { state, amount, from, to, after }: PaymentFilter) =>
  and(db, [
    state && db.unsafe(conditionOf(state)),
    amount !== undefined && db`amount_cents = ${amount}`,
    from && db`planned_at >= ${sydneyTime(from, '00:00')}`,
    to && db`planned_at < ${sydneyTime(addDays(to, 1), '00:00')}`,
    after && db`(planned_at, id) < (${after.plannedAt}, ${after.id}::uuid)`,
  ]);

const newest = (db: Db, limit: number) => db`order by planned_at desc, id desc limit ${limit}`;

const columns = (db: Db) => db`
  id, reference, amount_cents as "amountCents", planned_at as "plannedAt",
  ${stateColumn(db)} as state`;

/** Reads a bucket's payments, each table from its own index. */
function ofSupporters(db: Db, filter: PaymentFilter, found: Found | undefined): PromiseLike<ListedPayment[]> {
  const { kind, state, limit } = filter;
  const which = and(db, [
    shared(db, filter),
    found && 'reference' in found && hasReference(db, found.reference),
    found && 'supporterIds' in found && db`supporter_id = any(${found.supporterIds})`,
  ]);
  const debitKind = kind === 'donation' ? db`and kind = 'donation'` : db`and kind = 'round-up'`;
  const parts = [
    (!kind || kind === 'debit' || kind === 'donation') &&
      db`select case kind when 'donation' then 'donation' else 'debit' end as kind, supporter_id, club_id, ${columns(db)}
        from debits where ${which} ${kind ? debitKind : db``} ${newest(db, limit)}`,
    (!kind || kind === 'deposit') &&
      state !== 'deferred' &&
      db`select 'deposit' as kind, supporter_id, null::uuid as club_id, ${columns(db)} from deposits where ${which} ${newest(db, limit)}`,
    (!kind || kind === 'repayment') &&
      state !== 'deferred' &&
      db`select 'repayment' as kind, supporter_id, null::uuid as club_id, ${columns(db)} from repayments where ${which} ${newest(db, limit)}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return Promise.resolve([]);
  const all = parts.map((part) => db`(${part})`).reduce((so, part) => db`${so} union all ${part}`);
  return db<ListedPayment[]>`
    select payment.kind, payment.id, reference, "amountCents", payment.state, "plannedAt",
      jsonb_build_object('id', supporter.supporter_id, 'name', first_name || ' ' || last_name, 'email', email) as supporter,
      case when club.id is not null then jsonb_build_object('id', club.id, 'name', club.name) end as club
    from (${all}) payment join supporters supporter using (supporter_id) left join clubs club on club.id = payment.club_id
    order by "plannedAt" desc, payment.id desc limit ${limit}`;
}

function ofClubs(db: Db, filter: PaymentFilter, found: Found | undefined): PromiseLike<ListedPayment[]> {
  const { kind, state, limit } = filter;
  if ((kind && kind !== 'remittance') || state === 'deferred') return Promise.resolve([]);
  const which = and(db, [
    shared(db, filter),
    found && 'reference' in found && hasReference(db, found.reference),
    found && 'clubIds' in found && db`club_id = any(${found.clubIds})`,
  ]);
  return db<ListedPayment[]>`
    select 'remittance' as kind, payment.*, null as supporter, jsonb_build_object('id', club.id, 'name', club.name) as club
    from (select club_id, ${columns(db)} from remittances where ${which} ${newest(db, limit)}) payment
    join clubs club on club.id = club_id order by "plannedAt" desc, payment.id desc`;
}

/** Lists a filter's payments over all buckets, newest first. */
export async function searchPayments(pool: Pool, filter: PaymentFilter): Promise<ListedPayment[]> {
  const found = filter.search ? await find(pool, filter.search) : undefined;
  const [clubs, supporters] = await Promise.all([
    ofClubs(pool, filter, found),
    rowsOf(pool.inBuckets(), (bucket) => ofSupporters(bucket, filter, found)),
  ]);
  const order = (one: ListedPayment, other: ListedPayment) =>
    other.plannedAt.getTime() - one.plannedAt.getTime() || (one.id < other.id ? 1 : -1);
  return [...clubs, ...supporters].sort(order).slice(0, filter.limit);
}
