import { expect, test } from 'vitest';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClub } from '#testing/makers.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase();
const ops = opsOn(() => database);
const nobody = '00000000-0000-4000-8000-000000000000';

test('an endpoint is added, listed, rotated, replayed and removed; its secrets are in no log', async () => {
  const club = await aClub(database.pool);
  const url = 'http://127.0.0.1:1/hook';
  const added = await ops('webhooks', 'add', url, '--types', 'club.changed,payout.cleared', '--club', club, '--json');
  const { id, secret } = JSON.parse(added.said);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await database.pool.begin((tx) => recordEvents(tx, [clubChanged(club, new Date())]));
  const { said: list } = await ops('webhooks', 'list');
  expect(list).toBe(`${id}  ${url}  club.changed,payout.cleared  club ${club}  1 waiting\n`);
  const next = JSON.parse((await ops('webhooks', 'rotate', id, '--json')).said);
  expect(next.secret).not.toBe(secret);
  expect((await ops('webhooks', 'deliveries', id)).said).toBe('Nothing was delivered there yet.\n');
  expect((await ops('webhooks', 'replay', id)).said).toContain('0 queued again; they are delivered within a minute');
  await database.pool`update webhook_endpoints set paused_at = now()`;
  expect((await ops('webhooks', 'replay', id)).said).toContain('they are delivered once the endpoint is resumed');
  expect((await ops('webhooks', 'remove', id)).said).toBe(`${id} is removed\n`);
  expect((await ops('webhooks', 'list')).said).toBe('There are no endpoints.\n');
  const [log] = await database.pool`select string_agg(details::text, ' ') as text from audit_log`;
  for (const each of [secret.slice(10, 30), next.secret.slice(10, 30), '/hook'])
    expect(String(log?.text)).not.toContain(each);
});

test.each([
  [['add', 'http://127.0.0.1/', '--types', 'everything'], '--types takes some of payout.cleared'],
  [['add', 'nowhere', '--types', 'club.changed'], 'Nothing can be delivered there: it is no address.'],
  [['remove', nobody], 'was not found'],
  [['rotate', nobody], 'was not found'],
  [['replay', nobody, nobody], 'was not found'],
  [['deliveries', nobody, '--limit', 'x'], '--limit takes a whole number.'],
])('webhooks %j is refused in a sentence', async (words, because) => {
  const { code, said } = await ops('webhooks', ...words);
  expect([code, said.trim()]).toEqual([1, expect.stringContaining(because)]);
});
