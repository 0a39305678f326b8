import { beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter } from '#testing/makers.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { opsOn } from './testing/run-ops.ts';

const database = ownDatabase();
let robinsId: string;

beforeAll(async () => {
  const robin = await aSupporter(database.pool, { email: 'robin@example.com' });
  robinsId = robin.supporterId;
  const id = await aPastDebit(database.pool, robin, { day: '2026-11-20', amount: 435 });
  await database.rows`update debits set reference = 'RU4F09A1C0D5E6F7A8' where id = ${id}`;
});
const ops = opsOn(() => database);

test.each([['rob'], ['robin', 'ban'], ['0400', '000', '000'], ['RU4F09A1C'], ['robin@example.com']])(
  'a caller is found with their payments: %s %s %s',
  async (...words) => {
    expect((await ops('supporter', 'find', ...words)).said).toContain('Robin Banks  robin@example.com');
    expect((await ops('payment', 'find', ...words)).said).toMatch(/debit +RU4F09A1C0D5E6F7A8 +\$4\.35 +cleared/);
  },
);

test('a command for one supporter takes a number or a reference, and never a name', async () => {
  for (const text of ['+61400000000', 'RU4F09A1C'])
    expect((await ops('supporter', 'show', text)).said).toContain('"isConsent": true');
  expect(await ops('supporter', 'show', 'robin')).toMatchObject({
    code: 1,
    said: expect.stringContaining('does not name one supporter: robin@example.com'),
  });
});

test('an id of the audit log leads to the supporter', async () => {
  for (const text of [robinsId, robinsId.toUpperCase()])
    expect((await ops('supporter', 'show', text)).said).toContain('"email": "robin@example.com"');
  const nobody = '00000000-0000-8000-8000-000000000000';
  expect(await ops('supporter', 'show', nobody)).toMatchObject({
    code: 1,
    said: expect.stringContaining(`There is no supporter with the id ${nobody}.`),
  });
});

test('the audit log keeps that somebody was looked for, and not by which name or number', async () => {
  const noted = await database.rows<{ action: string; words: string }[]>`
    select action, details ->> 'words' as words from audit_log where action like '% find' or action like '% show'`;
  expect(noted).toContainEqual({ action: 'ops supporter find', words: '' });
  expect(noted.map(({ words }) => words).join(' ')).not.toMatch(/0400|400000000/);
});

test('a refund is refused in a sentence for an unknown debit, an invalid amount, or more than was taken', async () => {
  expect((await ops('payment', 'refund', 'RU0000000')).said).toContain('RU0000000');
  expect((await ops('payment', 'refund', 'RU4F09A1C', '--amount', '-1')).said).toContain('--amount takes dollars');
  expect(await ops('payment', 'refund', 'RU4F09A1C', '--amount', '4.36')).toMatchObject({
    code: 1,
    said: expect.stringContaining('$4.35 can still be given'),
  });
});
