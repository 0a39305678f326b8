import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { leaveFor } from '#api/leave.ts';

/** Requests a link to the bank's consent pages and opens it. Stays busy until the browser has left. */
export function useConsentLink(ask: () => Promise<{ consentLink: string }>) {
  const { mutate, reset, isPending, isSuccess, isError } = useMutation({
    mutationFn: ask,
    onSuccess: ({ consentLink }) => leaveFor(consentLink),
    onError: (error) => console.error(error),
  });

  useEffect(() => {
    // The page, restored from the back-forward cache on Back from the bank, can be used again.
    const wake = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener('pageshow', wake);
    return () => removeEventListener('pageshow', wake);
  }, [reset]);

  return { go: () => mutate(), isBusy: isPending || isSuccess, isError };
}
