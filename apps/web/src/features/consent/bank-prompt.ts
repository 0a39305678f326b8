import type { UserRecord } from '@sparechange/contract';

export type BankPrompt = 'no bank connection' | 'finish setting up';

/**
 * What the dashboard asks for after the user is loaded. `activeConsents` is what
 * the provider says; undefined as long as it has not said anything.
 */
export function bankPrompt(
  user: Pick<UserRecord, 'isConsent' | 'onboardingComplete'>,
  activeConsents: boolean | undefined,
): BankPrompt | undefined {
  if (!user.isConsent || activeConsents === false) return 'no bank connection';
  if (!user.onboardingComplete) return 'finish setting up';
  return undefined;
}
