import type { Db } from '#db/connect.ts';
import { ChangedMeanwhile } from '#errors.ts';
import type { ClubFacts } from './edit-club.ts';

type Fact = keyof ClubFacts;

/** Facts of a club as its form shows them; an empty field means none. */
export type SeenFacts = Partial<Record<Fact, string | undefined>>;

/** Facts to be saved. */
type WantedFacts = Partial<Record<Fact, string | number | null | undefined>>;

const names: Record<Fact, string> = {
  name: 'the name',
  slug: 'the link',
  parentId: 'the club it is under',
  abn: 'the ABN',
  contactEmail: 'the contact',
  about: 'the paragraph',
  suburb: 'the suburb',
  sport: 'the sport or cause',
  goalDollars: 'the goal',
  logo: 'the logo',
  picture: 'the picture',
};

/**
 * Throws ChangedMeanwhile if somebody has changed a fact since it was seen, so that no edit is overwritten unseen. A
 * fact that already has the wanted value was saved before, with its answer lost.
 */
export async function refuseChangedMeanwhile(
  tx: Db,
  clubId: string,
  seen: SeenFacts,
  wanted: WantedFacts,
): Promise<void> {
  const [present] = await tx<Record<Fact, string | number | null>[]>`
    select name, slug, parent_id as "parentId", abn, contact_email as "contactEmail", about, suburb, sport,
      goal_dollars as "goalDollars", logo, picture
    from clubs where id = ${clubId}`;
  const changed = (Object.keys(names) as Fact[]).filter((fact) => {
    const standing = String(present?.[fact] ?? '');
    return seen[fact] !== undefined && standing !== seen[fact] && standing !== String(wanted[fact] ?? '');
  });
  if (changed.length === 0) return;
  const standing = Object.fromEntries(changed.map((fact) => [fact, String(present?.[fact] ?? '')]));
  const words = changed.map((fact) => `${names[fact]} to "${standing[fact]}"`).join(', ');
  throw new ChangedMeanwhile(`Somebody else has changed ${words}. Saving again replaces that.`, standing);
}
