import { timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/** Returns whether a notification id is present and of at most 200 characters. */
export const isNotificationId = (id: string | undefined): id is string => id !== undefined && /^.{1,200}$/.test(id);

/** Returns whether a webhook's signed time is within five minutes of now; an older webhook may be a replay. */
export function isRecent(unixSeconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(unixSeconds) && Math.abs(now.getTime() / 1_000 - Number(unixSeconds)) <= toleranceSeconds;
}

/** Returns whether any of the given signatures is the expected one, comparing in constant time. */
export function includesSignature(given: string[], expected: string): boolean {
  const expectedBytes = Buffer.from(expected);
  let isFound = false;
  for (const each of given) {
    const givenBytes = Buffer.from(each);
    if (givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes)) isFound = true;
  }
  return isFound;
}

/** Returns the value of a header, whose name is given in lower case and found in any. */
export function headerOf(headers: Record<string, string | undefined>, name: string): string | undefined {
  if (headers[name] !== undefined) return headers[name];
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
