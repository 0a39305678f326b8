import { checkConsent, type UserRecord } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { type BankPrompt, bankPrompt } from './bank-prompt.ts';

/** Returns the step without which nothing can be rounded up, or undefined where none is missing or known. */
export function useBankPrompt(user: UserRecord | undefined): BankPrompt | undefined {
  const externalUserId = user?.externalUserId ?? '';
  const consent = useQuery({
    queryKey: ['active consents', externalUserId],
    queryFn: async () => (await call(checkConsent, { externalUserId })).activeConsents,
    enabled: externalUserId !== '' && user?.isConsent === true,
  });
  return user && bankPrompt(user, consent.data);
}
