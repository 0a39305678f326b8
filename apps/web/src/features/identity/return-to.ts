/** Where signing in leads back to, kept in the navigation state on the way to the login screen. */
export interface ReturnTo {
  returnTo: string;
  /** The user whose session lapsed there: nobody else is led to it. Null where a link of ours led there. */
  userId: string | null;
}

/** Reads a path, of this site only, and its user. */
export function readReturnTo(state: unknown): ReturnTo | undefined {
  if (typeof state !== 'object' || state === null || !('returnTo' in state) || !('userId' in state)) return undefined;
  const { returnTo, userId } = state;
  if (typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo)) return undefined;
  return typeof userId === 'string' || userId === null ? { returnTo, userId } : undefined;
}
