import { StartProblem } from '#errors.ts';

/** The role of a process; all three by default. */
export type Role = 'api' | 'worker' | 'sandbox';

const roles: readonly string[] = ['api', 'worker', 'sandbox'] satisfies Role[];

/** Reads the roles from the command line: none means all. */
export function parseRoles(words: string[]): Set<Role> {
  const unknown = words.filter((word) => !roles.includes(word));
  if (unknown.length > 0)
    throw new StartProblem(`Unknown role ${unknown.join(', ')}: the roles are ${roles.join(', ')}.`);
  return new Set((words.length > 0 ? words : roles) as Role[]);
}
