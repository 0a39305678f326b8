import type { Pool } from '#db/connect.ts';
import { getSupporter } from '#features/supporters/user-record.ts';
import type { BankLink } from '#ports/bank-link.ts';

/**
 * The supporter's customer id at the open-banking provider, made at the first consent. The provider does not refuse
 * doubles: of two made in the same moment one is kept, the other never gets a consent.
 */
export async function bankCustomer(db: Pool, bankLink: BankLink, supporterId: string): Promise<string> {
  const supporter = await getSupporter(db, supporterId);
  if (supporter.bankCustomerId) return supporter.bankCustomerId;
  const made = await bankLink.createCustomer(supporter);
  await db`
    update supporters set bank_customer_id = ${made}
    where supporter_id = ${supporterId} and bank_customer_id is null`;
  return (await getSupporter(db, supporterId)).bankCustomerId ?? made;
}
