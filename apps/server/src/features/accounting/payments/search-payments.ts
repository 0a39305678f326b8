import type { PaymentState } from '@sparechange/contract/console';
import { addDays, type Cents, type IsoDate, sydneyTime } from '@sparechange/domain';
import type { Part } from '#db/compose.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf } from '#db/in-each-bucket.ts';
import { InvalidInput } from '#errors.ts';
import { searchSupporters } from '#features/supporters/profiles/search-supporters.ts';
import type { PaymentKind } from './parked-payments.ts';
import { hasReference, shortestReference, stateColumn } from './payment-repository.ts';
import { inOrder, isAfter, orderBy, type Position, type RowOrder } from './sort-payments.ts';

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
}

interface Page {
  order: RowOrder;
  /** Last payment of the previous page. */
  after?: Position | undefined;
  limit: number;
}

/** Payments matching a text: one by its reference, or those of people and clubs. */
type Found = { reference: string } | { supporterIds: string[]; clubIds: string[] };

/** A filter whose text has been looked up. */
export type PaymentSelection = Omit<PaymentFilter, 'search'> & { found: Found | undefined };

const maxPeople = 50;
const maxClubs = 50;

/** The beginning of our reference, without blanks and hyphens. */
const ourReference = /^(RU|SV|RF|CL)([0-9A-F]{7,16}|(?=[A-F]*\d)[0-9A-F]{1,6})$/;
/** A provider's reference, such as PR.39p1 or, with bank files, DD.RU…. */
const providerReference = /^[A-Z]{1,2}\.\w+$/i;

/** Throws InvalidInput for a reference that is too short, and for a name with too many matches. */
async function findByText(pool: Pool, text: string): Promise<Found> {
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

/** Looks up the text of a filter. Throws InvalidInput as the search does. */
export async function selectPayments(pool: Pool, { search, ...filter }: PaymentFilter): Promise<PaymentSelection> {
  return { ...filter, found: search ? await findByText(pool, search) : undefined };
}

/** Selects by the columns that all payments have. */
function shared(db: Db, { state, amount, from, to, found }: PaymentSelection): Part {
  return and(db, [
    state && db.unsafe(conditionOf(state)),
    amount !== undefined && db`amount_cents = ${amount}`,
    from && db`planned_at >= ${sydneyTime(from, '00:00')}`,
    to && db`planned_at < ${sydneyTime(addDays(to, 1), '00:00')}`,
    found && 'reference' in found && hasReference(db, found.reference),
  ]);
}

/** A table of payments, with the expression of a row's kind and the condition of a selection. */
export interface Source {
  table: Part;
  kind: Part;
  club: Part;
  which: Part;
}

/** Returns the tables of a bucket that a selection may find payments in. */
export function sourcesOfSupporters(db: Db, selection: PaymentSelection): Source[] {
  const { kind, state, found } = selection;
  const which = and(db, [
    shared(db, selection),
    found && 'supporterIds' in found && db`supporter_id = any(${found.supporterIds})`,
  ]);
  const isDonation = kind === 'donation' ? db`kind = 'donation'` : db`kind = 'round-up'`;
  const none = db`null::uuid`;
  const sources = [
    (!kind || kind === 'debit' || kind === 'donation') && {
      table: db`debits`,
      kind: db`case kind when 'donation' then 'donation' else 'debit' end`,
      club: db`club_id`,
      which: kind ? db`${which} and ${isDonation}` : which,
    },
    (!kind || kind === 'deposit') &&
      state !== 'deferred' && { table: db`deposits`, kind: db`'deposit'`, club: none, which },
    (!kind || kind === 'repayment') &&
      state !== 'deferred' && { table: db`repayments`, kind: db`'repayment'`, club: none, which },
  ];
  return sources.filter((source) => source !== false);
}

/** Returns the condition of a selection's payouts; undefined if it can find none. */
export function payoutsOf(db: Db, selection: PaymentSelection): Part | undefined {
  const { kind, state, found } = selection;
  if ((kind && kind !== 'remittance') || state === 'deferred') return undefined;
  return and(db, [shared(db, selection), found && 'clubIds' in found && db`club_id = any(${found.clubIds})`]);
}

const columns = (db: Db) => db`
  id, reference, amount_cents as "amountCents", planned_at as "plannedAt",
  ${stateColumn(db)} as state`;

/** Reads a bucket's payments, each table from its own index. */
function ofSupporters(db: Db, selection: PaymentSelection, page: Page): PromiseLike<ListedPayment[]> {
  const parts = sourcesOfSupporters(db, selection).map(
    ({ table, kind, club, which }) => db`
      (select ${kind} as kind, supporter_id, ${club} as club_id, ${columns(db)} from ${table}
      where ${which} ${isAfter(db, page)} ${orderBy(db, page.order)} limit ${page.limit})`,
  );
  if (parts.length === 0) return Promise.resolve([]);
  const all = parts.reduce((so, part) => db`${so} union all ${part}`);
  return db<ListedPayment[]>`
    select payment.kind, payment.id, reference, "amountCents", payment.state, "plannedAt",
      jsonb_build_object('id', supporter.supporter_id, 'name', first_name || ' ' || last_name, 'email', email) as supporter,
      case when club.id is not null then jsonb_build_object('id', club.id, 'name', club.name) end as club
    from (${all}) payment join supporters supporter using (supporter_id) left join clubs club on club.id = payment.club_id`;
}

function ofClubs(db: Db, selection: PaymentSelection, page: Page): PromiseLike<ListedPayment[]> {
  const which = payoutsOf(db, selection);
  if (!which) return Promise.resolve([]);
  return db<ListedPayment[]>`
    select 'remittance' as kind, payment.*, null as supporter, jsonb_build_object('id', club.id, 'name', club.name) as club
    from (
      select club_id, ${columns(db)} from remittances
      where ${which} ${isAfter(db, page)} ${orderBy(db, page.order)} limit ${page.limit}
    ) payment join clubs club on club.id = club_id`;
}

/** Lists a selection's payments over all buckets, in an order of their rows. */
export async function listSelected(pool: Pool, selection: PaymentSelection, page: Page): Promise<ListedPayment[]> {
  const [clubs, supporters] = await Promise.all([
    ofClubs(pool, selection, page),
    rowsOf(pool.inBuckets(), (bucket) => ofSupporters(bucket, selection, page)),
  ]);
  return [...clubs, ...supporters].sort(inOrder(page.order)).slice(0, page.limit);
}
