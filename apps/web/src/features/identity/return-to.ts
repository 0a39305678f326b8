/** The destination after signing in, kept in the navigation state of the login screen. */
export interface ReturnTo {
  returnTo: string;
  /** The user whose session lapsed there; nobody else is sent back. Null for a link in our emails. */
  userId: string | null;
}

/** Reads a path, of this site only, and its user. */
export function readReturnTo(state: unknown): ReturnTo | undefined {
  if (typeof state !== 'object' || state === null || !('returnTo' in state) || !('userId' in state)) return undefined;
  const { returnTo, userId } = state;
  if (typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo)) return undefined;
  return typeof userId === 'string' || userId === null ? { returnTo, userId } : undefined;
}
