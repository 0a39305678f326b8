import type { Redirects } from '@sparechange/contract';

export interface ClubInTree {
  id: string;
  parentId: string | null;
}

/** Lists the lines of `redirects.json`: clubs and their tenant. */
const linesOf = ({ verify, confirmed, consented }: Redirects) => [
  ...Object.entries(verify).map(([clubId, tenant]) => ({ where: 'verify', clubId, parentClubId: undefined, tenant })),
  ...confirmed.map(({ clubId, parentClubId, tenant }) => ({ where: 'confirmed', clubId, parentClubId, tenant })),
  ...Object.entries(consented).map(([clubId, tenant]) => ({
    where: 'consented',
    clubId,
    parentClubId: undefined,
    tenant,
  })),
];

/** Returns where redirects send supporters of a club, once for each tenant: "verify to aca"; in a loop where there are several. */
export function homesOf(redirects: Redirects, { id, parentId }: ClubInTree): string[] {
  const about = linesOf(redirects).filter(
    (line) => line.clubId === id || (line.parentClubId !== undefined && line.parentClubId === parentId),
  );
  const homes = new Map(about.map(({ tenant, where }) => [tenant, where]));
  return [...homes].map(([tenant, where]) => `${where} to ${tenant}`);
}

/**
 * Returns the problems of redirects: unknown clubs and tenants, and clubs with two homes. Each screen redirects by the
 * club alone, so supporters go round in a loop exactly where a club has two homes.
 */
export function problemsOfRedirects(
  redirects: Redirects,
  clubs: readonly ClubInTree[],
  isTenant: (key: string) => boolean,
): string[] {
  const known = new Set(clubs.map(({ id }) => id));
  const lines = linesOf(redirects);
  const unknown = lines.flatMap(({ where, clubId, parentClubId, tenant }) => [
    ...[clubId, parentClubId]
      .filter((id) => id !== undefined && !known.has(id))
      .map((id) => `redirects.json ${where}: there is no club ${id}`),
    ...(isTenant(tenant) ? [] : [`redirects.json ${where}: there is no tenant ${tenant}`]),
  ]);
  const loops = clubs.flatMap((club) => {
    const homes = homesOf(redirects, club);
    return homes.length < 2
      ? []
      : [`redirects.json sends supporters of ${club.id} round in a loop: ${homes.join(', ')}`];
  });
  return [...unknown, ...loops];
}
