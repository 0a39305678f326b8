/** Returns the identity SDK's error code, such as `auth/expired-action-code`. */
export const identityErrorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** Returns true where the identity provider refuses a long enough password because too many people use it. */
export const isCommonPassword = (error: unknown): boolean => identityErrorCode(error) === 'auth/weak-password';

const codesOfDeadLinks = [
  'auth/invalid-action-code',
  'auth/expired-action-code',
  'auth/user-disabled',
  'auth/user-not-found',
];

/** Returns true where an email's link has been used, has expired, or no longer applies. */
export const isDeadLink = (error: unknown): boolean => codesOfDeadLinks.includes(identityErrorCode(error) ?? '');
