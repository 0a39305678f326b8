import type { UserRecord } from '@sparechange/contract';

export type BankPrompt = 'no bank connection' | 'finish setting up';

/**
 * Returns the prompt of the dashboard after the user is loaded. `activeConsents` is the provider's word; undefined
 * until it has answered.
 */
export function bankPrompt(
  user: Pick<UserRecord, 'isConsent' | 'onboardingComplete'>,
  activeConsents: boolean | undefined,
): BankPrompt | undefined {
  if (!user.isConsent || activeConsents === false) return 'no bank connection';
  if (!user.onboardingComplete) return 'finish setting up';
  return undefined;
}
