import { z } from 'zod';
import type { ConsoleOperation } from './operation.ts';

export const roles = ['owner', 'finance', 'support', 'viewer', 'treasurer'] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** A signed-in person as the rules see them. */
export interface Permitted {
  roles: readonly Role[];
  /** Clubs of a treasurer. */
  clubIds: readonly string[];
  /** Came by an emailed link alone: a treasurer reads, everybody else sets up a sign-in. */
  isByLink: boolean;
}

/** Returns whether somebody sees figures, and nothing operators typed. */
export const seesFiguresAlone = (theirs: readonly Role[]): boolean =>
  theirs.every((role) => role === 'viewer' || role === 'treasurer');

/** Returns why somebody may not make a call; undefined if they may. */
export function refusalOfCall(
  { allowed, readsOnly, clubField }: Pick<ConsoleOperation, 'allowed' | 'readsOnly' | 'clubField'>,
  person: Permitted | undefined,
  input: unknown,
): 'signed-out' | 'not-allowed' | undefined {
  if (allowed === 'anyone') return undefined;
  if (!person) return 'signed-out';
  if (allowed === 'signed_in') return undefined;
  const club = clubField === undefined ? undefined : (input as Record<string, unknown> | null)?.[clubField];
  const isTheirs = typeof club === 'string' && person.clubIds.includes(club);
  const may = (role: Role) => {
    if (!allowed.includes(role)) return false;
    return role === 'treasurer' ? isTheirs && (readsOnly === true || !person.isByLink) : !person.isByLink;
  };
  return person.roles.some(may) ? undefined : 'not-allowed';
}
