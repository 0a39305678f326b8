import type { AdviceFrequency } from '@sparechange/contract';
import { type FactsOf, publicFacts } from '@sparechange/contract/club-facts';
import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { isUuid } from '#uuid.ts';
import { selectFacts } from './club-columns.ts';
import { recentSince } from './contact-changes.ts';

export interface Club {
  id: string;
  name: string;
  parentId: string | null;
  slug: string;
  /** Day from which it is retired. */
  endsOn: IsoDate | null;
}

export interface ListedClub extends Club {
  suburb: string | null;
  /** A file of tenants/logos. */
  logo: string | null;
  /** Maximum cents held back from its remittances; 0 for none. */
  reserveCents: Cents;
  adviceFrequency: AdviceFrequency;
}

/** A club with the facts of its public page. */
export interface PublicClub extends Club, FactsOf<typeof publicFacts> {
  raisedCents: Cents | null;
  supporters: number | null;
  /** First day of the month of `monthCents`. */
  month: IsoDate | null;
  monthCents: Cents | null;
}

/** All clubs by name, or those under one parent. */
export function listClubs(db: Db, parentId?: string): Promise<ListedClub[]> {
  return db<ListedClub[]>`
    select id, name, parent_id as "parentId", slug, ends_on as "endsOn", suburb, logo, reserve_cents as "reserveCents",
      advice_frequency as "adviceFrequency" from clubs
    where ${parentId ?? null}::text is null or parent_id::text = ${parentId ?? null}
    order by lower(name)`;
}

/** Finds a club by its id; undefined for text that is not an id. */
export async function findClub(db: Db, id: string): Promise<Club | undefined> {
  if (!isUuid(id)) return undefined;
  const [club] = await db<Club[]>`
    select id, name, parent_id as "parentId", slug, ends_on as "endsOn" from clubs where id = ${id}`;
  return club;
}

/** Returns an id's club, in any spelling; throws NotFound. */
export async function getClub(db: Db, id: string): Promise<Club> {
  const club = await findClub(db, id.toLowerCase());
  if (!club) throw new NotFound('The club');
  return club;
}

/** Returns clubs by their ids, to name them beside items restricted to one. */
export async function namedClubs(db: Db, ids: (string | null)[]) {
  const clubs = await db<Pick<Club, 'id' | 'name' | 'slug'>[]>`
    select id, name, slug from clubs where id = any(${ids.filter((id) => id !== null)}::uuid[])`;
  return new Map(clubs.map((club) => [club.id, club]));
}

/** Lists all clubs with their public figures, or the one with that slug or id. */
export function listPublicClubs(db: Db, { slug, id }: { slug?: string; id?: string } = {}): Promise<PublicClub[]> {
  return db<PublicClub[]>`
    select id, ${selectFacts(db, publicFacts)}, ends_on as "endsOn", raised_cents as "raisedCents", supporters, month,
      month_cents as "monthCents"
    from clubs left join club_figures on club_figures.club_id = clubs.id
    where (${slug ?? null}::text is null or slug = ${slug ?? null}
        or clubs.id = (select club_id from club_slugs where slug = ${slug ?? null}))
      and (${id ?? null}::text is null or id::text = ${id ?? null})
    order by slug`;
}

export const findPublicClub = async (db: Db, id: string): Promise<PublicClub | undefined> =>
  (await listPublicClubs(db, { id }))[0];

/**
 * Keeps a club's link and contact as its former ones if they are about to change; capitals in an address do not count.
 */
export async function keepFormer(
  tx: Db,
  id: string,
  next: { slug?: string | undefined; contactEmail?: string | null | undefined; at: Date },
): Promise<void> {
  const [club] = await tx<{ slug: string; contactEmail: string | null }[]>`
    select slug, contact_email as "contactEmail" from clubs where id = ${id}`;
  if (!club) return;
  if (next.slug !== undefined && next.slug !== club.slug) {
    await tx`delete from club_slugs where slug = ${next.slug}`;
    await tx`
      insert into club_slugs (slug, club_id) values (${club.slug}, ${id})
      on conflict (slug) do update set club_id = excluded.club_id, replaced_at = excluded.replaced_at`;
  }
  if (next.contactEmail !== undefined && next.contactEmail !== (club.contactEmail?.toLowerCase() ?? null))
    await tx`
      update clubs set contact_changed_at = ${next.at}, former_contact_email = case
        when contact_changed_at is null or contact_changed_at < ${recentSince(next.at)}
          or former_contact_email is null
        then contact_email else former_contact_email end
      where id = ${id}`;
}

/** Lists former links of clubs, newest first, and present ones. */
export function listFormerSlugs(db: Db): Promise<{ former: string; slug: string }[]> {
  return db<{ former: string; slug: string }[]>`
    select former.slug as former, club.slug from club_slugs former join clubs club on club.id = former.club_id
    order by replaced_at desc limit 10000`;
}

/** Sets the maximum held back from a club's remittances; 0 pays all of it out with the next one. */
export async function setReserve(db: Db, clubId: string, reserve: Cents): Promise<string | undefined> {
  const [club] = await db<{ name: string }[]>`
    update clubs set reserve_cents = ${reserve} where id::text = lower(${clubId}) returning name`;
  return club?.name;
}

/** Frequency of a new club's remittance advices until somebody chooses one: rare enough to be read. */
export const adviceFrequencyOfNew: AdviceFrequency = 'weekly';

export async function findAdviceFrequency(db: Db, clubId: string): Promise<AdviceFrequency | undefined> {
  const [club] = await db<{ frequency: AdviceFrequency }[]>`
    select advice_frequency as frequency from clubs where id = ${clubId}`;
  return club?.frequency;
}

/** Sets the frequency of a club's remittance advices; returns false if nothing changes. */
export async function setAdviceFrequency(db: Db, clubId: string, frequency: AdviceFrequency): Promise<boolean> {
  const changed = await db`
    update clubs set advice_frequency = ${frequency}::advice_frequency
    where id::text = ${clubId} and advice_frequency <> ${frequency}::advice_frequency`;
  return changed.count > 0;
}
