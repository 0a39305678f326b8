import { expect, test } from 'vitest';
import { verifyKey } from '#features/disbursements/programs/keys.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase();
const ops = opsOn(() => database);
const clock = { now: () => new Date() };

test('a key is made, listed, rotated and revoked, and shown once each time', async () => {
  const club = await aClub(database.pool);
  const made = await ops(
    'keys',
    'create',
    'The league',
    '--scopes',
    'read_clubs,read_totals',
    '--club',
    club,
    '--json',
  );
  const { id, key } = JSON.parse(made.said);
  const deps = { db: database.pool, clock };
  expect(await verifyKey(deps, key)).toEqual({ id, scopes: ['read_clubs', 'read_totals'], clubId: club });

  const { said: list } = await ops('keys', 'list');
  expect(list).toMatch(new RegExp(`^${id}  The league  read_clubs,read_totals  club ${club}  until .*  used `));
  expect(list).not.toContain(key);

  const next = JSON.parse((await ops('keys', 'rotate', id, '--overlap', '0', '--json')).said);
  expect(await verifyKey(deps, key)).toBeUndefined();
  expect(await verifyKey(deps, next.key)).toMatchObject({ id });
  expect((await ops('keys', 'revoke', id)).said).toBe(`${id}  The league is revoked\n`);
  expect(await verifyKey(deps, next.key)).toBeUndefined();
  expect((await ops('keys', 'list')).said).toContain('revoked');

  const [log] = await database.pool`select string_agg(details::text, ' ') as text from audit_log`;
  for (const secret of [key, next.key]) expect(String(log?.text)).not.toContain(secret.slice(25));
});

test.each([
  [['create', 'The league', '--scopes', 'read_everything'], '--scopes takes some of read_clubs'],
  [['create', 'The league', '--scopes', 'read_clubs', '--days', 'x'], '--days takes a whole number.'],
  [['create', 'The league', '--scopes', 'read_clubs', '--days', '800'], 'A key is valid for 1 to 730 days.'],
  [['create', 'The league', '--scopes', 'read_clubs', '--club', 'nobody'], 'The club was not found.'],
  [['rotate', 'nobody'], 'A valid key nobody was not found.'],
  [['revoke', 'nobody'], 'A key nobody that is not revoked was not found.'],
])('keys %j is refused in a sentence', async (words, because) => {
  const { code, said } = await ops('keys', ...words);
  expect([code, said.trim()]).toEqual([1, expect.stringContaining(because)]);
});
