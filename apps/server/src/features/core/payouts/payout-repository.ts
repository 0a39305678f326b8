import type { Db, Statement } from '#db/connect.ts';
import {
  isDueAgain,
  isItself,
  isSubmitting,
  type PaymentKey,
  unansweredColumns,
} from '#features/core/submission/unanswered-payments.ts';
import type { Payout, PayoutKind, PayoutState } from './payout-kind.ts';

type Part = Statement<readonly unknown[]>;

const select = <Row extends Payout>(db: Db, kind: PayoutKind<Row>, from: Part) =>
  db<Row[]>`
    select payout.id, payout.amount_cents as amount, payout.reference, payout.state,
      ${unansweredColumns(db, 'payout')}, ${kind.columns(db)}
    from ${from}`;

const selectWhere = <Row extends Payout>(db: Db, kind: PayoutKind<Row>, which: Part) =>
  select(db, kind, db`${db(kind.table)} payout ${kind.joins(db)} where ${which}`);

/** Lists submissions without a conclusive answer that are due again. */
export const listDue = <Row extends Payout>(db: Db, kind: PayoutKind<Row>, now: Date, limit: number): Promise<Row[]> =>
  selectWhere(
    db,
    kind,
    db`${isDueAgain(db, 'payout', now)} order by payout.next_attempt_at nulls first limit ${limit}`,
  );

/** Finds a payout that is being submitted, parked or not. */
export async function findSubmitting<Row extends Payout>(
  db: Db,
  kind: PayoutKind<Row>,
  id: string,
): Promise<Row | undefined> {
  const [payout] = await selectWhere(db, kind, isSubmitting(db, 'payout', id));
  return payout;
}

/** Takes planned payouts to submit them; from here on the provider may have them. */
export const takePlanned = <Row extends Payout>(
  db: Db,
  kind: PayoutKind<Row>,
  now: Date,
  limit: number,
): Promise<Row[]> => take(db, kind, now, db`payout.state = 'planned'`, limit);

/** Takes payouts the provider lacks, for the payee's present account. */
export const takeAgain = <Row extends Payout>(db: Db, kind: PayoutKind<Row>, now: Date, rows: Row[]): Promise<Row[]> =>
  take(db, kind, now, db`payout.state = 'submitting' and payout.id = any(${rows.map(({ id }) => id)})`, rows.length);

function take<Row extends Payout>(db: Db, kind: PayoutKind<Row>, now: Date, which: Part, limit: number) {
  const kept = kind.kept?.(db, now);
  const key = kind.table === 'remittances' ? ['id'] : ['supporter_id', 'id'];
  const keyOf = (row: string) => db(key.map((column) => `${row}.${column}`));
  return db<Row[]>`
    with next as (
      select ${keyOf('payout')} ${kept ? db`, ${kept.columns}` : db``} from ${db(kind.table)} payout ${kind.joins(db)}
      where ${which} and ${kind.isPayable(db, now)} order by ${kind.order(db)} limit ${limit} for update of payout
    ), payout as (
      update ${db(kind.table)} payout set state = 'submitting', submitting_at = ${now} ${kept ? db`, ${kept.assignments}` : db``}
      from next where (${keyOf('payout')}) = (${keyOf('next')}) returning payout.*
    )
    ${select(db, kind, db`payout ${kind.joins(db)} order by ${kind.order(db)}`)}`;
}

interface PayoutFacts {
  at: Date;
  providerRef?: string;
  returnCode?: number | undefined;
  failure?: string | undefined;
}

/** Moves a payout between states and returns whether it did. */
export async function movePayout<Row extends Payout>(
  db: Db,
  { table }: PayoutKind<Row>,
  key: PaymentKey,
  from: PayoutState,
  to: PayoutState,
  { at, providerRef, returnCode, failure }: PayoutFacts,
): Promise<boolean> {
  const moved = await db`
    update ${db(table)} set state = ${to}, parked_at = null,
      provider_ref = coalesce(${providerRef ?? null}, provider_ref),
      return_code = coalesce(${returnCode ?? null}, return_code), failure = coalesce(${failure ?? null}, failure),
      submitted_at = case when ${to === 'submitted'} then ${at}::timestamptz else submitted_at end,
      outcome_at = case when ${to === 'submitted'} then outcome_at else ${at}::timestamptz end
    where ${isItself(db, table, key)} and state = ${from}`;
  return moved.count === 1;
}

/** Finds a payout by the provider's reference. */
export async function findByProviderRef<Row extends Payout>(
  db: Db,
  kind: PayoutKind<Row>,
  providerRef: string,
): Promise<Row | undefined> {
  const [payout] = await selectWhere(db, kind, db`payout.provider_ref = ${providerRef}`);
  return payout;
}

/** Locks a payout so that changes to it take turns, and returns its state after the wait. */
export async function lockPayout<Row extends Payout>(
  tx: Db,
  kind: PayoutKind<Row>,
  key: PaymentKey,
): Promise<Row | undefined> {
  await tx`select from ${tx(kind.table)} where ${isItself(tx, kind.table, key)} for update`;
  const [payout] = await selectWhere(tx, kind, isItself(tx, 'payout', key));
  return payout;
}
