import type { BankAccount, UserRecord } from '@sparechange/contract';

export type MissingStep = 'bank' | 'round-up accounts' | 'funding account';

/** Returns the first step of the onboarding that is not done yet; undefined when it can end or has ended. */
export function missingStep(
  { isConsent, onboardingComplete }: Pick<UserRecord, 'isConsent' | 'onboardingComplete'>,
  accounts: readonly Pick<BankAccount, 'activeRoundUpsEnabled' | 'activeDebitEnabled'>[],
): MissingStep | undefined {
  if (onboardingComplete) return undefined;
  if (!isConsent) return 'bank';
  if (!accounts.some(({ activeRoundUpsEnabled }) => activeRoundUpsEnabled)) return 'round-up accounts';
  return accounts.some(({ activeDebitEnabled }) => activeDebitEnabled) ? undefined : 'funding account';
}
