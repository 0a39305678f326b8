import { checkConsent, type UserRecord } from '@sparechange/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';

export type BankPrompt = 'no bank connection' | 'finish setting up';

/**
 * Returns the dashboard's prompt once the user is loaded. `activeConsents` is the provider's answer, undefined until it
 * arrives.
 */
export function bankPrompt(
  user: Pick<UserRecord, 'isConsent' | 'onboardingComplete'>,
  activeConsents: boolean | undefined,
): BankPrompt | undefined {
  if (!user.isConsent || activeConsents === false) return 'no bank connection';
  if (!user.onboardingComplete) return 'finish setting up';
  return undefined;
}

/** Returns the missing step that keeps anything from being rounded up; undefined where none is missing or known. */
export function useBankPrompt(user: UserRecord | undefined): BankPrompt | undefined {
  const externalUserId = user?.externalUserId ?? '';
  const consent = useQuery({
    ...queryOf(checkConsent, { externalUserId }, ({ activeConsents }) => activeConsents),
    enabled: externalUserId !== '' && user?.isConsent === true,
  });
  const hasJustEnded = user?.isConsent === true && consent.data === false;
  const client = useQueryClient();
  const { userId } = useCaller();
  useEffect(() => {
    if (hasJustEnded) void client.invalidateQueries(userQuery(userId)); // it says how the consent ended
  }, [hasJustEnded, client, userId]);
  return user && bankPrompt(user, consent.data);
}
