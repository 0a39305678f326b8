import type { Cents } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { isInEffect } from '#features/core/debiting/conditions.ts';
import type { DirectDebit, MandateRequest } from '#ports/direct-debit.ts';
import { ProviderRefused } from '#ports/errors.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

export interface RegisteredMandates {
  registered: number;
  /**
   * Supporters whose mandate the provider refused, or whose account cannot be read, with reasons: it refuses their
   * debits.
   */
  refused: { supporterId: string; reason: string }[];
}

interface Row {
  supporterId: string;
  id: string;
  payerName: string;
  email: string;
  bsbEncrypted: Uint8Array;
  accountNumberEncrypted: Uint8Array;
  ceiling: Cents;
}

const pageSize = 200;

/**
 * Registers the mandates in effect with the provider that PAYMENTS names, after a change: it does not know the previous
 * provider's references. Repeating it registers none twice, since each keeps its id. Throws ProviderUnavailable;
 * mandates registered until then are kept.
 */
export async function registerMandates({
  db,
  encryption,
  directDebit,
}: {
  db: Pool;
  encryption: FieldEncryption;
  directDebit: DirectDebit;
}): Promise<RegisteredMandates> {
  const report: RegisteredMandates = { registered: 0, refused: [] };
  for await (const row of inEffect(db)) {
    try {
      const mandateRef = await directDebit.createMandate(readRequest(encryption, row));
      await db.of(row.supporterId)`
        update mandates set mandate_ref = ${mandateRef}
        where supporter_id = ${row.supporterId} and id = ${row.id} and cancelled_at is null`;
      report.registered += 1;
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      report.refused.push({ supporterId: row.supporterId, reason: error.reason });
    }
  }
  return report;
}

/** Throws ProviderRefused if the account cannot be read: it cannot be registered either. */
function readRequest(encryption: FieldEncryption, row: Row): MandateRequest {
  const { id, supporterId, payerName: name, email, ceiling } = row;
  try {
    const bsb = encryption.decrypt(row.bsbEncrypted, `supporter ${supporterId} bsb`);
    const accountNumber = encryption.decrypt(row.accountNumberEncrypted, `supporter ${supporterId} account number`);
    return { id, name, email, bsb, accountNumber, ceiling };
  } catch (error) {
    throw new ProviderRefused(`the account cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Yields the mandates over currently debited accounts. */
async function* inEffect(db: Pool): AsyncIterable<Row> {
  for (const bucket of db.inBuckets()) yield* inEffectIn(bucket);
}

/** Yields a bucket's mandates, page by page. */
async function* inEffectIn(db: Db): AsyncIterable<Row> {
  let [afterSupporter, after] = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'];
  while (true) {
    const page = await db<Row[]>`
      select mandate.supporter_id as "supporterId", mandate.id, payer_name as "payerName", supporter.email,
        account.bsb_encrypted as "bsbEncrypted", account.account_number_encrypted as "accountNumberEncrypted",
        ceiling_cents as ceiling
      from mandates mandate
        join accounts account on account.supporter_id = mandate.supporter_id and account.id = mandate.account_id
        join supporters supporter on supporter.supporter_id = mandate.supporter_id
      where (mandate.supporter_id, mandate.id) > (${afterSupporter}, ${after})
        and ${isInEffect(db, 'mandate')} and account.is_funding
        and account.bsb_encrypted is not null and account.account_number_encrypted is not null
      order by mandate.supporter_id, mandate.id limit ${pageSize}`;
    yield* page;
    const last = page.at(-1);
    if (page.length < pageSize || !last) return;
    [afterSupporter, after] = [last.supporterId, last.id];
  }
}
