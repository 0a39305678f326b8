import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/connect.ts';
import { checkpointAndKeep, watchAuditLog } from '#features/accounting/bookkeeping/watch-audit-log.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { auditChains } from '#features/core/ledger/audit-chains.ts';
import { checksOfAuditLog } from '#features/core/ledger/checks-of-audit-log.ts';
import { ownDatabase } from '#testing/database.ts';
import { fakeCheckpointFile } from '#testing/fake-checkpoint-file.ts';
import { aClock, forgetEverything, testKey } from '#testing/makers.ts';
import { setGuardsAside } from '#testing/set-guards-aside.ts';
import { acceptAuditLog, remarkChains } from './accept-audit-log.ts';
import { makeAuditKeys } from './audit-keys.ts';
import { appendToAuditLog, operatorsChain } from './audit-log.ts';
import { makeCheckpoint } from './make-checkpoint.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

const database = ownDatabase(1); // each bucket has checkpoints of its own
const auditKeys = makeAuditKeys([testKey]);
const clock = aClock();
let file: ReturnType<typeof fakeCheckpointFile>;
let supporters: string[];
const deps = (keys = auditKeys) => ({
  db: database.pool,
  clock,
  auditKeys: keys,
  checkpointFile: file,
  log: pino({ level: 'silent' }),
});

const note = (supporterId: string, action: string, at = clock.now()) =>
  appendToAuditLog(database.pool, { supporterId, at, actor: 'supporter', action });

beforeEach(async () => {
  await forgetEverything(database.pool);
  file = fakeCheckpointFile();
  clock.setTo('2026-11-24T22:00:00Z');
  supporters = [operatorsChain, ...Array.from({ length: 4 }, () => randomUUID()).toSorted()];
  for (const id of supporters) for (const action of ['first', 'second', 'third']) await note(id, action);
  await checkpointAndKeep(deps(), database.pool);
  clock.setTo('2026-11-25T22:00:00Z');
  for (const id of supporters.slice(0, 2)) await note(id, 'fourth');
  await checkpointAndKeep(deps(), database.pool);
});

const found = async (keys = auditKeys) => (await verifyAuditLog(deps(keys), file)).violations;
/** Finds the same a few chains at a time as in one statement. */
async function foundByPlainChecks(): Promise<string[]> {
  const { violations } = await auditBooks(database.pool);
  const ofLog = await auditBooks(database.pool, checksOfAuditLog);
  for (const atOnce of [1, 2, 1_000]) {
    const { violations: inPages, checked } = await auditChains(database.pool, atOnce);
    expect(inPages.toSorted()).toEqual(ofLog.violations.toSorted());
    expect(checked).toEqual(ofLog.checked);
  }
  return violations;
}

/** Acts as the owner of the tables, with triggers off. */
const attack = (work: (tx: Db) => Promise<unknown>) =>
  database.pool.begin(async (tx) => {
    await setGuardsAside(tx);
    await work(tx);
  });

/** Relinks a chain as its owner could, its head included. */
const linkAnew = async (tx: Db, id: string) => {
  await tx`delete from audit_links where supporter_id = ${id}`;
  await tx`update audit_heads set seq = 0, hash = '' where supporter_id = ${id}`;
  await tx`select link_audit_entry(log.supporter_id, log.id, log.at, log.actor, log.action, log.details) from (select * from audit_log where supporter_id = ${id} order by at, id) log`;
};

test('a log that nobody touched is found in order, by the first pass, by the next ones and as a whole', async () => {
  expect(await found()).toEqual([]);
  expect((await verifyAuditLog(deps(), file)).checkpoints).toMatchObject([{ number: 2, chains: 5, entries: 17 }]);
  expect(await makeCheckpoint(deps(), database.pool)).toMatchObject({
    found: 0,
    leftOut: 0,
    checkpoint: { number: 3, entries: 17 },
  });
});

test('an altered row is found', async () => {
  await attack(
    (tx) => tx`update audit_log set action = 'agreed' where action = 'second' and supporter_id = ${operatorsChain}`,
  );
  expect(await foundByPlainChecks()).toHaveLength(1);
});

test('an altered row is found even when its chain was relinked', async () => {
  const [, id = ''] = supporters;
  await attack(async (tx) => {
    await tx`update audit_log set action = 'agreed' where action = 'second' and supporter_id = ${id}`;
    await linkAnew(tx, id);
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toEqual([`the chain of ${id} was changed before link 4, which a checkpoint covers`]);
});

test('a removed row is found even when its chain was relinked', async () => {
  const [, id = ''] = supporters;
  await attack(async (tx) => {
    await tx`delete from audit_log where action = 'second' and supporter_id = ${id}`;
    await linkAnew(tx, id);
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toContainEqual(`the chain of ${id} ends with link 3, a checkpoint covers 4`);
});

test('a removed tail with the head put back is found, also where its mark was', async () => {
  const [, id = ''] = supporters;
  const [before] = await database.rows<
    { mark: Uint8Array }[]
  >`select mark from audit_heads where supporter_id = ${supporters[2] ?? ''}`;
  await attack(async (tx) => {
    await tx`delete from audit_log using audit_links link where link.id = audit_log.id and link.supporter_id = ${id} and seq = 4`;
    await tx`delete from audit_links where supporter_id = ${id} and seq = 4`;
    await tx`update audit_heads head set seq = 3, hash = link.hash from audit_links link
      where head.supporter_id = ${id} and link.supporter_id = ${id} and link.seq = 3`;
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toContainEqual(`the chain of ${id} ends with link 3, a checkpoint covers 4`);
  await attack(
    (tx) => tx`update audit_heads set marked_seq = 3, mark = ${before?.mark ?? ''} where supporter_id = ${id}`,
  );
  expect(await found()).toContainEqual(`the chain of ${id} was changed before link 3, which a checkpoint covers`);
});

test('a chain and its mark put back to an earlier state are found', async () => {
  const [, id = ''] = supporters;
  const [old] = await database.rows<{ mark: Uint8Array }[]>`select mark from audit_heads where supporter_id = ${id}`;
  await note(id, 'fifth');
  await checkpointAndKeep(deps(), database.pool);
  await attack(async (tx) => {
    await tx`delete from audit_log where supporter_id = ${id} and action = 'fifth'`;
    await tx`delete from audit_links where supporter_id = ${id} and seq = 5`;
    await tx`update audit_heads head set seq = 4, hash = link.hash, marked_seq = 4, mark = ${old?.mark ?? ''}
      from audit_links link where head.supporter_id = ${id} and link.supporter_id = ${id} and link.seq = 4`;
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toEqual(['the audit log has 17 marked entries in 5 chains, checkpoint 3 says 18 in 5']);
});

test('a whole chain that was removed is found', async () => {
  const [, , id = ''] = supporters;
  await attack(async (tx) => {
    for (const table of ['audit_log', 'audit_links', 'audit_heads'])
      await tx`delete from ${tx(table)} where supporter_id = ${id}`;
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toEqual(['the audit log has 14 marked entries in 4 chains, checkpoint 2 says 17 in 5']);
});

test('one chain in the place of another of the same length is found', async () => {
  const [, , id = ''] = supporters;
  await attack(async (tx) => {
    await tx`update audit_log set supporter_id = ${randomUUID()} where supporter_id = ${id}`;
    await tx`delete from audit_links where supporter_id = ${id}`;
    await tx`delete from audit_heads where supporter_id = ${id}`;
    await tx`select link_audit_entry(log.supporter_id, log.id, log.at, log.actor, log.action, log.details) from audit_log log where not exists (select from audit_links link where link.id = log.id)`;
  });
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toEqual([
    'the audit log has 14 marked entries in 4 chains, checkpoint 2 says 17 in 5',
    expect.stringContaining('has a new entry dated back to 2026-11-24T22:00:00.000Z'),
  ]);
});

test('emptying all tables, checkpoints included, is found by the copies kept outside, and no pass starts over', async () => {
  await attack((tx) => tx`truncate audit_log, audit_links, audit_heads, audit_checkpoints`);
  expect(await foundByPlainChecks()).toEqual([]);
  expect(await found()).toEqual(['the database does not hold 2 checkpoints kept outside it, the last is 2']);
  await note(operatorsChain, 'first');
  const expected = 'the database does not hold checkpoint 2, which was kept outside it';
  expect(await checkpointAndKeep(deps(), database.pool)).toMatchObject({ violations: [expected], found: 1 });
  expect(await database.pool`select 1 from audit_checkpoints`).toHaveLength(0);
  expect(await database.pool`select name, about from alarms`).toMatchObject([{ name: 'audit_log_changed' }]);
});

test('emptying all tables but the checkpoints is found without the copies kept outside', async () => {
  await attack((tx) => tx`truncate audit_log, audit_links, audit_heads`);
  file = fakeCheckpointFile();
  expect(await found()).toEqual(['the audit log has 0 marked entries in 0 chains, checkpoint 2 says 17 in 5']);
});

test('checkpoints that somebody without the key changed, cut off or added are found', async () => {
  const [, , id = ''] = supporters;
  await attack((tx) => tx`update audit_checkpoints set made_at = made_at - interval '1 day' where number = 1`);
  expect(await found()).toEqual(['checkpoint 1 was changed']);
  await attack((tx) => tx`update audit_checkpoints set made_at = made_at + interval '1 day' where number = 1`);
  await attack(async (tx) => {
    for (const table of ['audit_log', 'audit_links', 'audit_heads'])
      await tx`delete from ${tx(table)} where supporter_id = ${id}`;
    await tx`insert into audit_checkpoints select 3, made_at, 4, 14, marks_sum, true, null, mac from audit_checkpoints where number = 2`;
  });
  expect(await found()).toEqual(['checkpoint 3 was changed', 'the marks do not add up to checkpoint 3']);
  expect(await checkpointAndKeep(deps(), database.pool)).toMatchObject({ found: 1 });
  await attack((tx) => tx`delete from audit_checkpoints where number > 1`);
  expect(await found()).toContainEqual('the database does not hold 1 checkpoint kept outside it, the last is 2');
});

test('a row that is dated back is found when it is appended, in an old chain and in a new one, and named each time', async () => {
  const id = randomUUID();
  await note(id, 'agreed', new Date('2020-01-01T00:00:00Z'));
  const expected = `the chain of ${id} has a new entry dated back to 2020-01-01T00:00:00.000Z`;
  expect(await found()).toEqual([expected]);
  await note(operatorsChain, 'ops status', new Date('2026-11-25T20:59:00Z'));
  for (const times of [1, 2]) {
    clock.setTo(`2026-11-25T22:0${times}:00Z`);
    expect((await checkpointAndKeep(deps(), database.pool))?.violations, `${times}`).toEqual([
      "the operators' chain has a new entry dated back to 2026-11-25T20:59:00.000Z",
      expected,
    ]);
  }
});

test('what an operator accepts with a reason is where the next checkpoint begins', async () => {
  await attack((tx) => tx`truncate audit_log, audit_links, audit_heads, audit_checkpoints`);
  await note(operatorsChain, 'first', new Date('2020-01-01T00:00:00Z'));
  expect(await acceptAuditLog(deps(), file, 'restored from the backup of Tuesday')).toMatchObject([
    { number: 3, acceptedBecause: 'restored from the backup of Tuesday' },
  ]);
  expect(await found()).toEqual([]);
  await note(operatorsChain, 'second');
  expect(await checkpointAndKeep(deps(), database.pool)).toMatchObject({
    found: 0,
    checkpoint: { number: 4, entries: 2 },
  });
  expect(await found()).toEqual([]);
});

test('after a rotation of the data key the chains are marked again, and the old key is no longer needed', async () => {
  const newKey = randomBytes(32);
  const both = makeAuditKeys([newKey, testKey]);
  const alone = makeAuditKeys([newKey]);
  await note(operatorsChain, 'under the new key');
  await checkpointAndKeep(deps(both), database.pool);
  expect(await found(both)).toEqual([]);
  expect(await found(alone)).toHaveLength(4);
  expect(await remarkChains(deps(both))).toBe(4);
  expect(await remarkChains(deps(both))).toBe(0);
  expect(await found(alone)).toEqual([]);
});

test('a rotation does not mark again what was changed', async () => {
  const [, id = ''] = supporters;
  await attack(async (tx) => {
    await tx`update audit_log set action = 'agreed' where action = 'second' and supporter_id = ${id}`;
    await linkAnew(tx, id);
  });
  await expect(remarkChains(deps(makeAuditKeys([randomBytes(32), testKey])))).rejects.toThrow(
    'was changed before link 4',
  );
});

test('a pass that has no time for every chain says how many it left, and the next takes them', async () => {
  for (const id of supporters) await note(id, 'more');
  expect(await makeCheckpoint(deps(), database.pool, { batchSize: 2, maxMs: 0 })).toMatchObject({
    leftOut: 3,
    found: 0,
  });
  clock.setTo('2026-11-26T22:00:00Z');
  expect(await makeCheckpoint(deps(), database.pool, { batchSize: 2, maxMs: 60_000 })).toMatchObject({
    leftOut: 0,
    found: 0,
  });
  expect(await found()).toEqual([]);
});

test('the product makes a checkpoint each hour, and the rest of an unfinished one the next minute', async () => {
  const numbers = async (minutes: number[]) => {
    const made: number[] = [];
    for (const minute of minutes) {
      clock.setTo(new Date(Date.UTC(2026, 10, 25, 22, minute)).toISOString());
      await watchAuditLog(deps());
      made.push(Math.max(...(file.macs.get('public')?.keys() ?? [])));
    }
    return made;
  };
  expect(await numbers([1, 59, 60, 61, 120])).toEqual([2, 2, 3, 3, 4]);
  await note(operatorsChain, 'more');
  await makeCheckpoint(deps(), database.pool, { batchSize: 1, maxMs: 0 }); // unfinished: there may be further chains
  expect(await numbers([121, 122])).toEqual([6, 6]);
});

test('a check that breaks off says how far it came', async () => {
  const [, , reached = '', next = ''] = supporters;
  const [hash] = await database.pool<{ definition: string }[]>`
    select pg_get_functiondef('audit_entry_hash'::regproc) as definition`;
  await database.pool.unsafe(`alter function audit_entry_hash rename to usual_hash;
    create function audit_entry_hash(previous bytea, seq bigint, supporter uuid, entry uuid, at timestamptz, actor text, action text,
      details jsonb) returns bytea language plpgsql stable as $$ begin
      if supporter = '${next}' then raise 'too slow'; end if;
      return usual_hash(previous, seq, supporter, entry, at, actor, action, details);
    end $$`);
  const { violations } = await auditChains(database.pool, 3);
  await database.pool.unsafe(`drop function usual_hash; ${hash?.definition}`);
  expect(violations).toEqual([`the audit log was checked no further than the chain of ${reached}: too slow`]);
  expect(await foundByPlainChecks()).toEqual([]);
});
