import { useEffect } from 'react';
import { store } from '#api/stored.ts';
import { useAddressQuery } from '#ui/address-query.ts';

/** With "efg:" in front, as long as registering takes it. */
const maxLength = 196;

/** Returns efg:{u} with efg=1, unless registering would refuse it. */
export function referrerOf(query: URLSearchParams): string | undefined {
  const u = query
    .get('u')
    ?.replace(/\p{Cc}/gu, '')
    .slice(0, maxLength)
    .replace(/\p{Cs}/gu, '')
    .trim();
  return query.get('efg') === '1' && u ? `efg:${u}` : undefined;
}

/** Captures the referrer from the landing screen's address, even if the screen redirects immediately. */
export function useReferral(): void {
  const query = useAddressQuery();
  useEffect(() => {
    const referrer = referrerOf(query);
    if (referrer) store('referrer', referrer);
  }, [query]);
}
