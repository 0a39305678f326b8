import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

/** Sets how much is held back from a club's remittances at most; 0 pays all of it out with the next one. */
export async function setReserve(db: Db, clubId: string, reserve: Cents): Promise<string | undefined> {
  const [club] = await db<{ name: string }[]>`
    update clubs set reserve_cents = ${reserve} where id::text = lower(${clubId}) returning name`;
  return club?.name;
}
