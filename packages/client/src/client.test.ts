import { expect, test } from 'vitest';
import { CallRefused } from './client.ts';

test.each([
  ['4', 4],
  ['Fri, 27 Nov 2026 06:00:00 GMT', undefined],
  [undefined, undefined],
])('of a Retry-After of %s the seconds are named, if it has any', (after, seconds) => {
  const response = new Response('', { status: 503, headers: after === undefined ? {} : { 'retry-after': after } });
  expect(new CallRefused(response, undefined).retryAfterSeconds).toBe(seconds);
});
