import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { MandateRequest } from '#ports/direct-debit.ts';
import type { HeldMandate } from '#ports/direct-entry-book.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { encryptAccount, readAccount } from './entry-repository.ts';

const context = (id: string): string => `direct entry mandate ${id}`;

export async function keepMandate(
  db: Db,
  encryption: FieldEncryption,
  request: MandateRequest,
  at: Date,
): Promise<void> {
  await db`
    insert into direct_entry.mandates (id, ceiling_cents, account_encrypted, agreed_at)
    values (${request.id}, ${request.ceiling}, ${encryptAccount(encryption, request, context(request.id))}, ${at})
    on conflict (id) do nothing`;
}

export async function cancelMandate(db: Db, id: string, at: Date): Promise<void> {
  await db`
    update direct_entry.mandates set cancelled_at = ${at}, account_encrypted = null
    where id = ${id} and cancelled_at is null`;
}

export async function findMandates(
  db: Db,
  encryption: FieldEncryption,
  ids: string[],
): Promise<Map<string, HeldMandate>> {
  if (ids.length === 0) return new Map();
  const rows = await db<{ id: string; ceiling: Cents; encrypted: Uint8Array }[]>`
    select id, ceiling_cents as ceiling, account_encrypted as encrypted from direct_entry.mandates
    where id = any(${ids}) and cancelled_at is null`;
  return new Map(
    rows.map(({ id, ceiling, encrypted }) => [
      id,
      { ceiling, account: readAccount(encryption, encrypted, context(id)) },
    ]),
  );
}
