import type { BankAccount, UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';

export type OnboardingState =
  | { kind: 'loading' }
  | { kind: 'unknown' }
  | { kind: 'known'; user: UserRecord; accounts: BankAccount[]; missing: MissingStep | undefined };

/** Reads the progress of onboarding. Answers cached before the last step are refetched. */
export function useOnboardingState(): OnboardingState & { retry: () => Promise<unknown> } {
  const { userId, cdrid } = useCaller();
  const user = useQuery({ ...userQuery(userId), staleTime: 0 });
  const accounts = useQuery({ ...accountsQuery(cdrid), staleTime: 0 });
  const retry = () => Promise.all([user.refetch(), accounts.refetch()]);

  if (!user.data || !accounts.data) {
    return user.isError || accounts.isError ? { kind: 'unknown', retry } : { kind: 'loading', retry };
  }
  const missing = missingStep(user.data, accounts.data);
  if (missing && (user.isFetching || accounts.isFetching)) return { kind: 'loading', retry };
  return { kind: 'known', user: user.data, accounts: accounts.data, missing, retry };
}

type MissingStep = 'bank' | 'round-up accounts' | 'funding account';

/** Returns the first open step of onboarding; undefined when it can end or has ended. */
export function missingStep(
  { isConsent, onboardingComplete }: Pick<UserRecord, 'isConsent' | 'onboardingComplete'>,
  accounts: readonly Pick<BankAccount, 'activeRoundUpsEnabled' | 'activeDebitEnabled'>[],
): MissingStep | undefined {
  if (onboardingComplete) return undefined;
  if (!isConsent) return 'bank';
  if (!accounts.some(({ activeRoundUpsEnabled }) => activeRoundUpsEnabled)) return 'round-up accounts';
  return accounts.some(({ activeDebitEnabled }) => activeDebitEnabled) ? undefined : 'funding account';
}
