import type { Db } from '#world/database.ts';
import type { Cents } from '#world/money.ts';

interface Row {
  ref: string;
  idempotencyKey: string;
  amount: Cents;
  email: string;
  contactId: string;
  branchCode: string;
  accountNumber: string;
  description: string;
  metadata: string;
  state: string;
  createdAt: number;
  maturesAt: number;
  clearedAt: number | null;
  failureCode: string | null;
}

const iso = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString());

const present = (row: Row) => ({
  ...row,
  metadata: JSON.parse(row.metadata),
  createdAt: iso(row.createdAt),
  maturesAt: iso(row.maturesAt),
  clearedAt: iso(row.clearedAt),
});

export type Payment = ReturnType<typeof present>;

const list = (from: string) => (db: Db, email: string | undefined, order: string) =>
  db
    .all<Row>(
      `select p.ref, p.idempotency_key as idempotencyKey, p.amount, c.email, p.contact_id as contactId,
         c.branch_code as branchCode, c.account_number as accountNumber, p.description, p.metadata, t.status as state,
         p.created_at as createdAt, p.matures_at as maturesAt, t.cleared_at as clearedAt, t.failure_code as failureCode
       from ${from} join contacts c on c.id = p.contact_id
       where ?1 is null or c.email = ?1 collate nocase order by p.number ${order}`,
      email ?? null,
    )
    .map(present);

/** Lists accepted debits in the state of the payer's debit. */
const listDebitsBy = list('payment_requests p join transactions t on t.pair_ref = p.credit_ref');
const listPayoutsBy = list(`payouts p join transactions t on t.pair_ref = p.debit_ref and t.category = 'payout'`);

/** Lists debits, oldest first. */
export const listDebits = (db: Db, email?: string): Payment[] => listDebitsBy(db, email, '');

/** Lists payouts, oldest first, in the state of the credit. */
export const listPayouts = (db: Db, email?: string): Payment[] => listPayoutsBy(db, email, '');

export const listLatestDebits = (db: Db, limit: number): Payment[] =>
  listDebitsBy(db, undefined, `desc limit ${limit}`);

export const listLatestPayouts = (db: Db, limit: number): Payment[] =>
  listPayoutsBy(db, undefined, `desc limit ${limit}`);
