import { store } from '#api/stored.ts';

/** Spec section 1: with efg=1 and a u in the query the referrer is efg:{u}. */
export function referrerOf(query: URLSearchParams): string | undefined {
  const u = query.get('u');
  return query.get('efg') === '1' && u ? `efg:${u}` : undefined;
}

export function captureReferral(query: URLSearchParams): void {
  const referrer = referrerOf(query);
  if (referrer) store('referrer', referrer);
}
