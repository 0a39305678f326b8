/** Where somebody was when their session ended, kept in the navigation state on the way to the login screen. */
export interface ReturnTo {
  returnTo: string;
}

/** A path of this site, or nothing: an address from elsewhere is not followed. */
export function readReturnTo(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return undefined;
  const { returnTo } = state;
  return typeof returnTo === 'string' && /^\/(?![/\\])/.test(returnTo) ? returnTo : undefined;
}
