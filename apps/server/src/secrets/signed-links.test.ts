import { randomBytes } from 'node:crypto';
import { isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { debitLinks } from './signed-links.ts';

const links = debitLinks(randomBytes(32));
const supporterId = '0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604';
const run = isoDate('2026-11-25');
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));

test('a link names a supporter and a run, and nothing else', () =>
  fc.assert(
    fc.property(fc.uuid(), day, (id, on) => {
      const token = links.skipToken({ supporterId: id, run: on });
      expect(links.readSkip(token)).toEqual({ supporterId: id, run: on });
      expect(links.readStop(links.stopToken(id))).toBe(id);
    }),
  ));

test('it is valid for no other run, supporter, purpose or key', () => {
  const token = links.skipToken({ supporterId, run });
  expect(links.readSkip(token.replace('2026-11-25', '2026-11-27'))).toBeUndefined();
  expect(links.readSkip(token.replace('0b6c', '0b6d'))).toBeUndefined();
  expect(links.readStop(token)).toBeUndefined();
  expect(links.readStop(token.replace(`.${run}`, ''))).toBeUndefined();
  expect(links.readSkip(links.stopToken(supporterId))).toBeUndefined();
  expect(debitLinks(randomBytes(32)).readSkip(token)).toBeUndefined();
});

test('any other text is rejected without an error', () =>
  fc.assert(
    fc.property(fc.string(), (token) => {
      expect([links.readSkip(token), links.readStop(token)]).toEqual([undefined, undefined]);
      const forged = `${supporterId}.9999-99-99.${'A'.repeat(43)}`;
      expect(links.readSkip(forged)).toBeUndefined();
    }),
  ));
