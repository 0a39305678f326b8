import type { ClubWords } from '#features/core/approvals/act-lines.ts';
import type { Looking } from '#features/core/approvals/define-act.ts';
import { namedClubs } from './club-repository.ts';

/** Names the club of an act, by its link on a page and by its id in a command. */
export async function clubWords(
  { db, isOnPage }: Pick<Looking, 'db' | 'isOnPage'>,
  id: string | undefined,
): Promise<ClubWords | undefined> {
  if (id === undefined) return undefined;
  const club = (await namedClubs(db, [id])).get(id.toLowerCase());
  const place = isOnPage && club ? `/${club.slug}` : id;
  return { text: `${club?.name ?? 'not known'} (${place})`, clubId: id };
}
