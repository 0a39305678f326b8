import type { Db } from '#world/database.ts';

interface DebitRow {
  ref: string;
  idempotencyKey: string;
  amount: number;
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

const present = (row: DebitRow) => ({
  ...row,
  metadata: JSON.parse(row.metadata),
  createdAt: iso(row.createdAt),
  maturesAt: iso(row.maturesAt),
  clearedAt: iso(row.clearedAt),
});

export type Overview = ReturnType<typeof present>;

const debits = `select r.ref, r.idempotency_key as idempotencyKey, r.amount, c.email, r.contact_id as contactId,
    c.branch_code as branchCode, c.account_number as accountNumber, r.description, r.metadata,
    d.status as state, r.created_at as createdAt, r.matures_at as maturesAt, d.cleared_at as clearedAt, d.failure_code as failureCode
  from payment_requests r join transactions d on d.pair_ref = r.credit_ref join contacts c on c.id = r.contact_id`;

/** Lists every accepted debit with its outcome, oldest first. */
export const listDebits = (db: Db, email?: string): Overview[] =>
  db
    .all<DebitRow>(`${debits} where ?1 is null or c.email = ?1 collate nocase order by r.number`, email ?? null)
    .map(present);

/** The newest first. */
export const listLatestDebits = (db: Db, limit: number): Overview[] =>
  db.all<DebitRow>(`${debits} order by r.number desc limit ?`, limit).map(present);

/** Lists deposits, oldest first, in the state of the credit. */
export const listDeposits = (db: Db, email?: string): Overview[] =>
  db
    .all<DebitRow>(
      `select p.ref, p.idempotency_key as idempotencyKey, p.amount, c.email, p.contact_id as contactId,
         c.branch_code as branchCode, c.account_number as accountNumber, p.description, p.metadata,
         t.status as state, p.created_at as createdAt, p.matures_at as maturesAt, t.cleared_at as clearedAt, t.failure_code as failureCode
       from payouts p join transactions t on t.pair_ref = p.debit_ref and t.category = 'payout' join contacts c on c.id = p.contact_id
       where ?1 is null or c.email = ?1 collate nocase order by p.number`,
      email ?? null,
    )
    .map(present);
