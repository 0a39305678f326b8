import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readNotification } from './webhook.ts';

// The secret is the one in the examples of the Standard Webhooks specification; the body is of Basiq's form.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = new Date('2026-11-18T01:00:00Z');
const rawBody =
  '{"eventTypeId":"consent.revoked","eventId":"e1","links":{"event":"https://au-api.basiq.io/events/e1"}}';
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1794963600',
  'webhook-signature': 'v1,me+FD8oxNz/Xz/lcAQc9iAd0n/H9Wta/upLoeD9tTvQ=',
};
const read = (change: Record<string, string | undefined> = {}, body = rawBody, at = now) =>
  readNotification(secret, body, { ...headers, ...change }, at);

test('a signed and recent notification is read', () =>
  expect(read()).toEqual({ id: 'msg_1', eventId: 'e1', kind: 'consent.revoked' }));

test('any of the listed signatures counts, so that a secret can be changed over', () =>
  expect(read({ 'webhook-signature': `v1,AAAA v1a,BBBB ${headers['webhook-signature']}` })).toBeDefined());

test('headers are read in any spelling', () => {
  const spelled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(readNotification(secret, rawBody, spelled, now)?.id).toBe('msg_1');
});

test.each([
  ['another body', {}, `${rawBody} `],
  ['another id', { 'webhook-id': 'msg_2' }, rawBody],
  ['another time', { 'webhook-timestamp': '1794963601' }, rawBody],
  ['no signature', { 'webhook-signature': undefined }, rawBody],
  ['an unsigned version', { 'webhook-signature': headers['webhook-signature'].slice(3) }, rawBody],
  ['no id', { 'webhook-id': undefined }, rawBody],
  ['no time', { 'webhook-timestamp': undefined }, rawBody],
  ['a time that is none', { 'webhook-timestamp': '1794963600.5' }, rawBody],
])('%s is not believed', (_name, change, body) => expect(read(change, body)).toBeUndefined());

test('five minutes are recent, a second more is not, on both sides', () => {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  expect([at(300), at(-300)].map((time) => read({}, rawBody, time)?.id)).toEqual(['msg_1', 'msg_1']);
  expect([at(301), at(-301)].map((time) => read({}, rawBody, time))).toEqual([undefined, undefined]);
});

/** As Basiq would sign them. */
const readSigned = (body: string, id = 'msg_1') => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.1794963600.${body}`).digest('base64');
  return read({ 'webhook-id': id, 'webhook-signature': `v1,${signature}` }, body);
};

test('what no database can keep does not get in, signed or not', () => {
  const escaped = '{"eventTypeId":"consent.revoked","eventId":"\\u0000\\ud800"}';
  expect(readSigned(escaped)?.eventId).toBe('\ufffd\ufffd');
  expect(readSigned(rawBody, 'x'.repeat(200))?.kind).toBe('consent.revoked');
  expect(readSigned(rawBody, 'x'.repeat(201))).toBeUndefined();
});
