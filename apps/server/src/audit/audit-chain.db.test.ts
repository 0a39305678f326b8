import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { ownDatabase } from '#testing/database.ts';
import { appendToAuditLog, operatorsChain } from './audit-log.ts';

const database = ownDatabase();

const at = new Date('2026-11-25T00:00:00.123Z');
const note = (supporterId: string, action: string) => ({ supporterId, at, actor: 'operator', action });

const lengthOf = async (supporterId: string) => {
  const [head] = await database.rows<{ seq: number }[]>`
    select seq from audit_heads where supporter_id = ${supporterId}`;
  return head?.seq;
};
const violations = async () => (await auditBooks(database.pool)).violations;

test('rows written concurrently to one chain each get their place in it', async () => {
  const supporterId = randomUUID();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => appendToAuditLog(database.bucket, note(supporterId, `did ${index}`))),
  );
  expect(await lengthOf(supporterId)).toBe(20);
  expect(await violations()).toEqual([]);
});

test('a transaction that has written a row does not block others until it commits', async () => {
  const supporterId = randomUUID();
  await database.bucket.begin(async (tx) => {
    await appendToAuditLog(tx, note(supporterId, 'first'));
    await appendToAuditLog(database.bucket, note(supporterId, 'meanwhile'));
    await appendToAuditLog(tx, note(supporterId, 'second'));
  });
  expect(await lengthOf(supporterId)).toBe(3);
  expect(await violations()).toEqual([]);
});

test('two transactions that note the same two chains the other way round both come through', async () => {
  const [one, other] = [randomUUID(), randomUUID()].toSorted();
  const noteBoth = (ids: string[]) => database.bucket`
    insert into audit_log (supporter_id, at, actor, action)
    select supporter_id, ${at}, 'operator', 'both' from unnest(${ids}::uuid[]) as chain (supporter_id) order by 1`;
  const overrides = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? [`${one}`, `${other}`] : [`${other}`, `${one}`],
  );
  await Promise.all(overrides.map(noteBoth));
  expect([await lengthOf(`${one}`), await lengthOf(`${other}`)]).toEqual([10, 10]);
  expect(await violations()).toEqual([]);
});

test('a rolled-back entry leaves no trace in its chain', async () => {
  const before = await lengthOf(operatorsChain);
  const undone = database.pool.begin(async (tx) => {
    await appendToAuditLog(tx, note(operatorsChain, 'undone'));
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await lengthOf(operatorsChain)).toBe(before);
});

test('links and heads cannot be changed, removed or set back', async () => {
  await appendToAuditLog(database.pool, note(operatorsChain, 'kept'));
  for (const change of [
    `update audit_links set hash = ''`,
    'delete from audit_links',
    'truncate audit_links',
    'delete from audit_heads',
    'truncate audit_heads',
    'update audit_heads set seq = seq - 1',
  ]) {
    await expect(database.pool.unsafe(change), change).rejects.toThrow(/append-only/);
  }
});
