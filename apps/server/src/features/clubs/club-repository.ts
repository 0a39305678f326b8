import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export interface Club {
  id: string;
  name: string;
  parentId: string | null;
  slug: string;
}

export interface ListedClub extends Club {
  /** Most cents held back from its remittances; 0 for none. */
  reserveCents: Cents;
}

/** All clubs by name, or those under one parent. */
export function listClubs(db: Db, parentId?: string): Promise<ListedClub[]> {
  return db<ListedClub[]>`
    select id, name, parent_id as "parentId", slug, reserve_cents as "reserveCents" from clubs
    where ${parentId ?? null}::text is null or parent_id::text = ${parentId ?? null}
    order by lower(name)`;
}

export async function findClub(db: Db, id: string): Promise<Club | undefined> {
  const [club] = await db<Club[]>`
    select id, name, parent_id as "parentId", slug from clubs where id::text = ${id}`;
  return club;
}

export async function findClubBySlug(db: Db, slug: string): Promise<Club | undefined> {
  const [club] = await db<Club[]>`
    select id, name, parent_id as "parentId", slug from clubs where slug = ${slug.toLowerCase()}`;
  return club;
}

/** Sets how much is held back from a club's remittances at most; 0 pays all of it out with the next one. */
export async function setReserve(db: Db, clubId: string, reserve: Cents): Promise<string | undefined> {
  const [club] = await db<{ name: string }[]>`
    update clubs set reserve_cents = ${reserve} where id::text = lower(${clubId}) returning name`;
  return club?.name;
}
