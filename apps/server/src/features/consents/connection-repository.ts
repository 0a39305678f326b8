import type { Db } from '#db/connect.ts';

/** Returns the provider's ids of the accounts that are tracked or debited. */
export async function listUsedAccounts(db: Db, supporterId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select provider_account_id as id from accounts where supporter_id = ${supporterId} and is_listed and (round_ups_on or is_funding)`;
  return rows.map(({ id }) => id);
}
