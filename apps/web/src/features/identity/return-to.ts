/** Where somebody was when their session ended, kept in the navigation state on the way to the login screen. */
export interface ReturnTo {
  returnTo: string;
  /** The navigation state of that screen, such as the accounts that /funding-accounts was handed. */
  returnState: unknown;
}

/** A path of this site, or nothing: an address from elsewhere is not followed. */
export function readReturnTo(state: unknown): ReturnTo | undefined {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return undefined;
  const { returnTo } = state;
  if (typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo)) return undefined;
  return { returnTo, returnState: 'returnState' in state ? state.returnState : undefined };
}
