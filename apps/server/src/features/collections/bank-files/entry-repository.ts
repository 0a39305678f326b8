import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { AccountHolder, Entry, NewEntry, OrderKind, Waiting } from '#ports/direct-entry-book.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

/** Encrypts an account and its holder, bound to a context. */
export function encryptAccount(
  encryption: FieldEncryption,
  { name, bsb, accountNumber }: AccountHolder,
  context: string,
): Buffer {
  return encryption.encrypt(JSON.stringify([name, bsb, accountNumber]), context);
}

function decryptAccount(encryption: FieldEncryption, encrypted: Uint8Array, context: string): AccountHolder {
  const [name, bsb, accountNumber]: [string, string, string] = JSON.parse(encryption.decrypt(encrypted, context));
  return { name, bsb, accountNumber };
}

/** Returns an account, or undefined if it cannot be decrypted, which does not hold up other orders. */
export function readAccount(...encrypted: Parameters<typeof decryptAccount>): AccountHolder | undefined {
  try {
    return decryptAccount(...encrypted);
  } catch {
    return undefined;
  }
}

const context = (reference: string): string => `direct entry ${reference}`;

const columns = (db: Db) => db`
  entry.reference, entry.kind, entry.order_id as "orderId", entry.amount_cents as amount, entry.state,
  entry.return_code as code, entry.accepted_at as "acceptedAt", entry.changed_at as "changedAt"`;

/** Stores orders with new references; submitting one again changes nothing. */
export async function keepEntries(
  db: Db,
  encryption: FieldEncryption,
  entries: NewEntry[],
  at: Date,
): Promise<Map<string, Entry>> {
  if (entries.length === 0) return new Map();
  const rows = entries.map(({ reference, kind, orderId, amount, dueOn, remitter, account }) => ({
    reference,
    kind,
    order_id: orderId,
    amount_cents: amount,
    due_on: dueOn,
    remitter,
    account_encrypted: encryptAccount(encryption, account, context(reference)),
    accepted_at: at,
    changed_at: at,
  }));
  await db`insert into direct_entry.entries ${db(rows)} on conflict (reference) do nothing`;
  return findEntries(
    db,
    entries.map(({ reference }) => reference),
  );
}

export async function findEntries(db: Db, references: string[]): Promise<Map<string, Entry>> {
  const rows = await db<Entry[]>`
    select ${columns(db)} from direct_entry.entries entry where entry.reference = any(${references})`;
  return new Map(rows.map((entry) => [entry.reference, entry]));
}

const pageSize = 1_000;

/** Yields the orders changed or accepted since then, oldest change first, reading them page by page. */
export async function* entriesSince(db: Db, by: 'changed_at' | 'accepted_at', since: Date): AsyncGenerator<Entry> {
  let after: { at: Date; reference: string } = { at: since, reference: '' };
  for (;;) {
    const page = await db<Entry[]>`
      select ${columns(db)} from direct_entry.entries entry
      where (${db(by)}, reference) > (${after.at}, ${after.reference})
      order by ${db(by)}, reference limit ${pageSize}`;
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = { at: by === 'changed_at' ? last.changedAt : last.acceptedAt, reference: last.reference };
  }
}

interface WaitingRow {
  reference: string;
  amount: Cents;
  dueOn: IsoDate;
  remitter: string;
  encrypted: Uint8Array;
}

/** Lists orders for the next file, earliest due first, skipping those whose account cannot be read. */
export async function listWaiting(
  db: Db,
  encryption: FieldEncryption,
  kind: OrderKind,
  limit: number,
): Promise<Waiting> {
  const waiting: Waiting = { entries: [], unreadable: [] };
  let after = { dueOn: '-infinity', reference: '' };
  for (;;) {
    const page = await db<WaitingRow[]>`
      select reference, amount_cents as amount, due_on as "dueOn", remitter, account_encrypted as encrypted
      from direct_entry.entries
      where kind = ${kind} and state = 'accepted' and (due_on, reference) > (${after.dueOn}::date, ${after.reference})
      order by due_on, reference limit ${limit}`;
    for (const { encrypted, ...row } of page) {
      const account = readAccount(encryption, encrypted, context(row.reference));
      if (account) waiting.entries.push({ ...row, account });
      else waiting.unreadable.push(row.reference);
      if (waiting.entries.length === limit) return waiting;
    }
    const last = page.at(-1);
    if (!last || page.length < limit) return waiting;
    after = last;
  }
}
