import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import { exportSupporter } from '#features/supporters/offboarding/export-supporter.ts';
import { ownDatabase } from '#testing/database.ts';
import { aSupporter, testEncryption } from '#testing/makers.ts';
import { commandEntry, operatorName, personName } from './command-entry.ts';

const database = ownDatabase();
const at = new Date('2026-11-24T22:00:00Z');

const addressOf = async (supporterId: string) => {
  const [row] = await database.rows<
    { email: string }[]
  >`select email from supporters where supporter_id = ${supporterId}`;
  return row?.email ?? '';
};

test('a command is kept with who ran it and the reference of a supporter, without any address', async () => {
  const { supporterId } = await aSupporter(database.pool);
  const email = await addressOf(supporterId);
  const options = { json: true, reason: `asked by ${email}, not by ann@club.example`, date: undefined };
  const entry = await commandEntry(database.pool, at, 'alice', {
    name: 'supporter hold',
    words: email.toUpperCase(),
    options,
  });
  expect(entry).toEqual({
    supporterId: operatorsChain,
    at,
    actor: 'operator',
    action: 'ops supporter hold',
    details: {
      json: true,
      by: 'alice',
      reason: `asked by supporter ${supporterId}, not by (address)`,
      words: `supporter ${supporterId}`,
    },
  });
});

test.each([
  '0412 345 678',
  '+61412345678',
  '61 412 345 678',
  '0412345678',
  '+61 (0)412 345 678',
  '0412 34 56 78',
  '04 1234 5678',
  '(04) 1234-5678',
  '0412.345.678',
])('a mobile number is not kept: %s', async (words) => {
  const entry = await commandEntry(database.pool, at, 'alice', { name: 'supporter show', words, options: {} });
  expect(entry.details).toEqual({ words: '(number)', by: 'alice' });
});

test.each([
  [{ account: '06200012345678' }, { account: 'XXXXXXXXXX5678' }],
  [
    { bsb: '062000', accountNumber: '1234-5678' },
    { bsb: '062000', accountNumber: 'XXXX5678' },
  ],
  [{ account: 'everyday' }, { account: 'everyday' }],
])('of an account the last four digits are kept: %o', async (options, kept) => {
  const entry = await commandEntry(database.pool, at, 'alice', { name: 'bank-statement import', words: '', options });
  expect(entry.details).toEqual({ ...kept, words: '', by: 'alice' });
});

test.each(['0199b2a4-7c00-7000-8000-ab0412345678', '2026-04-12 2026-05-01', '2026-11-04 2026-12-05'])(
  'an id or days are kept whole: %s',
  async (words) => {
    const entry = await commandEntry(database.pool, at, 'alice', { name: 'supporter show', words, options: {} });
    expect(entry.details).toEqual({ words, by: 'alice' });
  },
);

test('commands about a supporter are part of everything held about them, and nobody else’s are', async () => {
  const [one, other] = [await aSupporter(database.pool), await aSupporter(database.pool)];
  for (const { supporterId } of [one, other]) {
    const email = await addressOf(supporterId);
    const line = { name: 'supporter show', words: email, options: { reason: `asked by <${email}>.` } };
    await appendToAuditLog(database.pool, await commandEntry(database.pool, at, 'alice', line));
  }
  const { tables } = await exportSupporter(
    { db: database.pool.of(one.supporterId), encryption: testEncryption },
    one.supporterId,
  );
  const commands = tables.audit_log?.filter(({ action }) => action === 'ops supporter show');
  const named = `supporter ${one.supporterId}`;
  expect(commands).toMatchObject([{ details: { by: 'alice', words: named, reason: `asked by <${named}>.` } }]);
});

test('the operator is the user of the operating system, with who became it by sudo', () => {
  const { username } = userInfo();
  expect(operatorName(undefined)).toBe(username);
  expect(operatorName('alice')).toBe(`${username}, sudo by alice`);
});

test('sudo names the person only where root says so', () => {
  const { username } = userInfo();
  expect(personName('alice', true)).toBe('alice');
  expect(personName('alice', false)).toBe(username);
  expect(personName(undefined, true)).toBe(username);
});
