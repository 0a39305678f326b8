import { expect, test } from 'vitest';
import { emptiedDatabase } from '#testing/database.ts';
import { aClock, aClub } from '#testing/makers.ts';
import { listKeys } from './key-repository.ts';
import { idOfKey } from './key-text.ts';
import { createKey, revokeKey, rotateKey, verifyKey } from './keys.ts';

const robin = { kind: 'operating_system', id: 'robin' } as const;
const database = emptiedDatabase();
const start = '2026-11-24T22:00:00Z';
const clock = aClock();
const deps = () => ({ db: database.pool, clock });
const request = { name: 'Books of the league', scopes: ['read_clubs' as const], days: 10 };
const create = () => {
  clock.setTo(start);
  return createKey(deps(), request, robin);
};
const after = (ms: number) => clock.setTo(new Date(Date.parse(start) + ms).toISOString());
const hour = 3_600_000;

test('a key is stored only as a hash, and verified by its text', async () => {
  const { id, text } = await create();
  expect(text).toMatch(/^sparechange_[0-9a-f]{12}_[0-9a-f]{72}$/);
  expect(await verifyKey(deps(), text)).toEqual({ id, scopes: ['read_clubs'], clubId: null });
  const [row] = await database.pool`select api_keys::text as row from api_keys`;
  expect(String(row?.row)).not.toContain(text.slice(25, 60));
});

test('a text that was altered, cut off or invented is no key', async () => {
  const { id, text } = await create();
  const other = text.endsWith('0') ? `${text.slice(0, -1)}1` : `${text.slice(0, -1)}0`;
  const madeUp = `sparechange_${id}_${'0'.repeat(72)}`;
  for (const each of ['', text.slice(0, -1), `${text}0`, other, text.toUpperCase(), madeUp, `Bearer ${text}`])
    expect([each, await verifyKey(deps(), each)]).toEqual([each, undefined]);
  expect(idOfKey(other)).toBeUndefined();
});

test("another key's id with one's own secret is no key", async () => {
  const [one, other] = [await create(), await create()];
  expect(await verifyKey(deps(), one.text.replace(one.id, other.id))).toBeUndefined();
});

test('a rotated key has two secrets for the overlap, and one after it', async () => {
  const { id, text } = await create();
  const next = await rotateKey(deps(), { id, days: 20, overlapHours: 24 }, robin);
  after(23 * hour);
  expect(await verifyKey(deps(), text)).toMatchObject({ id });
  expect(await verifyKey(deps(), next.text)).toMatchObject({ id });
  after(24 * hour);
  expect(await verifyKey(deps(), text)).toBeUndefined();
  expect(await verifyKey(deps(), next.text)).toMatchObject({ id });
});

test('an overlap does not make a secret last longer than its key would have', async () => {
  const { id, text } = await create();
  after(9.5 * 24 * hour);
  await rotateKey(deps(), { id, days: 10, overlapHours: 240 }, robin);
  after(10 * 24 * hour);
  expect(await verifyKey(deps(), text)).toBeUndefined();
  const [entry] = await database.pool`
    select details->>'formerUntil' as "formerUntil" from audit_log where action = 'api key rotated'`;
  expect(entry).toEqual({ formerUntil: clock.now().toISOString() });
});

test('a former secret expires no later than its replacement', async () => {
  const { id, text } = await create();
  await rotateKey(deps(), { id, days: 1, overlapHours: 720 }, robin);
  after(2 * 24 * hour);
  expect(await verifyKey(deps(), text)).toBeUndefined();
});

test('a key ends when it expires or is revoked, and can no longer be rotated', async () => {
  const [expired, revoked] = [await create(), await create()];
  expect(await revokeKey(deps(), revoked.id, robin)).toBe(request.name);
  expect(await verifyKey(deps(), revoked.text)).toBeUndefined();
  after(10 * 24 * hour);
  expect(await verifyKey(deps(), expired.text)).toBeUndefined();
  for (const { id } of [expired, revoked])
    await expect(rotateKey(deps(), { id, days: 1, overlapHours: 0 }, robin)).rejects.toThrow('was not found');
  await expect(revokeKey(deps(), revoked.id, robin)).rejects.toThrow('was not found');
});

test('use is recorded at most once a minute', async () => {
  const { text } = await create();
  const usedAt = async () => (await listKeys(database.pool))[0]?.usedAt?.toISOString();
  expect(await usedAt()).toBeUndefined();
  for (const [ms, recorded] of [
    [0, 0],
    [59_000, 0],
    [60_000, 60_000],
  ] as const) {
    after(ms);
    await verifyKey(deps(), text);
    expect(await usedAt()).toBe(new Date(Date.parse(start) + recorded).toISOString());
  }
});

test('changes of a key are in the audit log with the person, without a secret', async () => {
  const clubId = await aClub(database.pool);
  const { id, text } = await createKey(deps(), { ...request, clubId }, robin);
  await rotateKey(deps(), { id, days: 1, overlapHours: 0 }, { ...robin, id: 'kim' });
  await revokeKey(deps(), id, robin);
  const entries = await database.pool`select action, details->>'by' as by from audit_log order by id`;
  expect([...entries]).toEqual([
    { action: 'api key created', by: 'robin' },
    { action: 'api key rotated', by: 'kim' },
    { action: 'api key revoked', by: 'robin' },
  ]);
  const [all] = await database.pool`select string_agg(details::text, '') as text from audit_log`;
  expect(String(all?.text)).not.toContain(text.slice(25, 60));
});

test.each([
  [{ days: 0 }, '1 to 730 days'],
  [{ days: 1.5 }, '1 to 730 days'],
  [{ days: 731 }, '1 to 730 days'],
  [{ name: ' ' }, 'has a name'],
  [{ scopes: [] }, 'at least one scope'],
  [{ clubId: 'nobody' }, 'club was not found'],
])('a key requested with %j is refused', async (changes, because) => {
  await expect(createKey(deps(), { ...request, ...changes }, robin)).rejects.toThrow(because);
});
