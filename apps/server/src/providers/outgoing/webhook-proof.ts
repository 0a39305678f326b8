import { timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** Returns whether a notification has an id, of at most 200 characters. */
export const isNotificationId = (id: string | undefined): id is string => id !== undefined && /^.{1,200}$/.test(id);

/** Returns whether a webhook's signed time is within five minutes of now, before or after; an older one may be a replay. */
export function isRecent(unixSeconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(unixSeconds) && Math.abs(now.getTime() / 1_000 - Number(unixSeconds)) <= toleranceSeconds;
}

/** Compares signatures with the expected one in constant time. */
export function isAmong(given: string[], expected: string): boolean {
  const wanted = Buffer.from(expected);
  let isFound = false;
  for (const each of given) {
    const candidate = Buffer.from(each);
    if (candidate.length === wanted.length && timingSafeEqual(candidate, wanted)) isFound = true;
  }
  return isFound;
}

/** Returns a header's value; the case of its name does not matter. */
export function headerOf(headers: Record<string, string | undefined>, name: string): string | undefined {
  if (headers[name] !== undefined) return headers[name];
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
