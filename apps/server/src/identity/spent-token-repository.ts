import type { Db } from '#db/connect.ts';

/** Uses a token up: of many askers at the same moment one may go on. `expiresAt` is in seconds. */
export async function spendToken(db: Db, id: string, expiresAt: number): Promise<'spent' | 'spent before'> {
  const rows = await db`
    insert into identity.spent_tokens (id, expires_at) values (${id}, to_timestamp(${expiresAt}))
    on conflict (id) do nothing
    returning id`;
  return rows.length === 1 ? 'spent' : 'spent before';
}
