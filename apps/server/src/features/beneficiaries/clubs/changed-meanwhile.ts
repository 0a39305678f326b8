import { clubFacts } from '@sparechange/contract/club-facts';
import { ClubFact } from '@sparechange/contract/console';
import type { z } from 'zod';
import type { Db } from '#db/connect.ts';
import { ChangedMeanwhile } from '#errors.ts';
import { selectFacts } from './club-columns.ts';

type Fact = z.infer<typeof ClubFact>;

/** Facts of a club as its form shows them; an empty field means none. */
export type SeenFacts = Partial<Record<Fact, string | undefined>>;

/** Facts to be saved. */
type WantedFacts = Partial<Record<Fact, string | number | null | undefined>>;

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
    select ${selectFacts(tx, clubFacts)} from clubs where id = ${clubId}`;
  const changed = ClubFact.options.filter((fact) => {
    const standing = String(present?.[fact] ?? '');
    return seen[fact] !== undefined && standing !== seen[fact] && standing !== String(wanted[fact] ?? '');
  });
  if (changed.length === 0) return;
  const standing = Object.fromEntries(changed.map((fact) => [fact, String(present?.[fact] ?? '')]));
  const words = changed.map((fact) => `${clubFacts[fact].words} to "${standing[fact]}"`).join(', ');
  throw new ChangedMeanwhile(`Somebody else has changed ${words}. Saving again replaces that.`, standing);
}
