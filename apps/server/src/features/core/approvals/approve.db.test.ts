import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '#audit/audit-log.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock } from '#testing/makers.ts';
import { listApprovals } from './approval-repository.ts';
import { agree, approvalDays, askApproval, NoLongerPossible, refuseApproval } from './approve.ts';
import { choosePeople, peopleRule } from './people-needed.ts';

const database = ownDatabase();
const clock = aClock();
const deps = () => ({ db: database.pool, clock });
const alice: Actor = { kind: 'operating_system', id: 'alice' };
const ben: Actor = { kind: 'operating_system', id: 'ben' };
const unknownId = '00000000-0000-4000-8000-000000000000';

let asked = 0;
const ask = (actor = alice, amount?: number) => {
  asked += 1;
  const args = { amount: amount ?? asked };
  return askApproval(deps(), { act: 'refund', arguments: args, summary: `Refund ${args.amount}` }, actor);
};
const actions = () => database.pool<{ action: string; by: string }[]>`
  select action, details->>'by' as by from audit_log order by id`;

const refuse = (by: typeof ben, id: string) => refuseApproval(deps(), by, id, async () => {});

test('an act requested by one person and agreed to by another is carried out once', async () => {
  const { id } = await ask();
  const done: unknown[] = [];
  const carryOut = async ({ arguments: args }: { arguments: object }) => done.push(args);
  const results = await Promise.all([agree(deps(), ben, id, carryOut), agree(deps(), ben, id.toUpperCase(), carryOut)]);
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
  expect(done).toEqual([{ amount: asked }]);
  expect(await listApprovals(database.pool, { now: clock.now(), limit: 1 })).toMatchObject([
    { id, state: 'done', askedBy: alice, decidedBy: ben, failure: null },
  ]);
  expect(await actions()).toEqual([
    { action: 'approval asked', by: 'alice' },
    { action: 'approval agreed', by: 'ben' },
    { action: 'approved act carried out', by: 'ben' },
  ]);
});

test("concurrent agreements as numerous as a process's connections are all carried out", async () => {
  const ids = [];
  for (let count = 0; count < 10; count += 1) ids.push((await ask()).id);
  const carryOut = async () => database.pool`select 1`;
  const agreed = await Promise.all(ids.map((id) => agree(deps(), ben, id, carryOut)));
  expect(agreed.filter((each) => each !== undefined)).toHaveLength(10);
});

test('an agreement waiting for its turn is recorded or refused immediately', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  let begun = 0;
  const carryOut = () => {
    begun += 1;
    return held;
  };
  const long = [await ask(), await ask()].map(({ id }) => agree(deps(), ben, id, carryOut));
  await expect.poll(() => begun).toBe(2);
  const { id } = await ask();
  await expect(agree(deps(), alice, id, async () => 0)).rejects.toThrow('another person has to agree');
  const waiting = agree(deps(), ben, id, async () => 'done');
  const state = async () => (await listApprovals(database.pool, { now: clock.now(), limit: 1 }))[0];
  await expect.poll(state).toMatchObject({ id, state: 'agreed', decidedBy: ben });
  const { id: refused } = await ask();
  const inVain = agree(deps(), ben, refused, async () => 'done').catch((error: Error) => error.message);
  await expect.poll(state).toMatchObject({ id: refused, state: 'agreed' });
  await refuse(alice, refused);
  end();
  expect(await waiting).toMatchObject({ result: 'done' });
  expect(await inVain).toContain('was refused');
  await Promise.all(long);
});

test('nobody can agree to their own request', async () => {
  const { id } = await ask();
  await expect(agree(deps(), alice, id, async () => 0)).rejects.toThrow('another person has to agree');
  expect(await listApprovals(database.pool, { now: clock.now(), limit: 1 })).toMatchObject([{ id, state: 'asked' }]);
  await expect(
    database.pool`
      update approvals set state = 'agreed', decided_by_kind = asked_by_kind, decided_by = asked_by, decided_at = now()
      where id = ${id}`,
  ).rejects.toThrow(/check constraint/);
});

test('requesting the same act twice leaves one request while it is open', async () => {
  const { id } = await ask(alice, 1_000);
  expect(await ask(ben, 1_000)).toMatchObject({ id, askedBy: alice });
  await refuse(ben, id);
  expect((await ask(alice, 1_000)).id).not.toBe(id);
});

test('a refused or lapsed request can no longer be agreed to', async () => {
  const { id: refused } = await ask();
  await refuse(ben, refused);
  await refuse(ben, refused);
  await expect(agree(deps(), ben, refused, async () => 0)).rejects.toThrow('was refused');
  const { id: lapsed } = await ask();
  clock.setTo(new Date(clock.now().getTime() + approvalDays * 86_400_000).toISOString());
  await expect(agree(deps(), ben, lapsed, async () => 0)).rejects.toThrow('has lapsed');
  await expect(agree(deps(), ben, unknownId, async () => 0)).rejects.toThrow('was not found');
  await expect(refuse(ben, 'no id')).rejects.toThrow('was not found');
});

test('a failed act reports why, and agreeing again retries it', async () => {
  const { id } = await ask();
  const fail = async () => {
    throw new Conflict('The provider does not answer.');
  };
  await expect(agree(deps(), ben, id, fail)).rejects.toThrow('does not answer');
  expect(await listApprovals(database.pool, { now: clock.now(), limit: 1 })).toMatchObject([
    { state: 'agreed', failure: 'The provider does not answer.' },
  ]);
  const tried = agree(deps(), ben, id, async () => {
    await expect(refuse(ben, id)).rejects.toThrow('is being carried out');
    return 'done';
  });
  expect(await tried).toMatchObject({ result: 'done' });
  await expect(refuse(ben, id)).rejects.toThrow('carried out already');
});

test('an act that can no longer be carried out ends its request with the reason', async () => {
  const gone = 'The key was not found.';
  for (const error of [new NoLongerPossible(gone), new NotFound('The key'), new InvalidInput(gone)]) {
    const { id } = await ask();
    const fail = async () => {
      throw error;
    };
    for (const time of ['first', 'again']) {
      const tried = agree(deps(), ben, id, fail).catch((refusal: unknown) => refusal);
      expect([time, await tried]).toEqual([time, new Conflict(gone)]);
    }
    expect(await listApprovals(database.pool, { now: clock.now(), limit: 1 })).toMatchObject([
      { id, state: 'refused', failure: gone },
    ]);
  }
});

test('an agreed act that failed can be refused, also by its requester, and then no longer be agreed to', async () => {
  const { id } = await ask();
  const fail = async () => {
    throw new Conflict('The change was stopped.');
  };
  await expect(agree(deps(), ben, id, fail)).rejects.toThrow('was stopped');
  await refuse(alice, id);
  expect(await listApprovals(database.pool, { now: clock.now(), limit: 1 })).toMatchObject([{ id, state: 'refused' }]);
  expect((await actions()).at(-1)).toEqual({ action: 'approval refused', by: 'alice' });
  await expect(agree(deps(), ben, id, async () => 'done')).rejects.toThrow(Conflict);
});

test('open requests are listed first, however many were decided since', async () => {
  await database.pool`delete from approvals`;
  const old = await ask();
  clock.setTo(new Date(clock.now().getTime() + 60_000).toISOString());
  const decided = [await ask(), await ask()];
  for (const { id } of decided) await refuse(ben, id);
  const newer = await ask();
  const listed = (limit: number) => listApprovals(database.pool, { now: clock.now(), limit });
  expect((await listed(2)).map(({ id }) => id)).toEqual([newer.id, old.id]);
  expect((await listed(3))[2]?.id).toBe(decided[1]?.id);
});

test('two people are needed in production until an organisation chooses one, which the audit log records', async () => {
  expect(await peopleRule(database.pool, true)).toEqual({ people: 2, chosenBy: null });
  expect(await peopleRule(database.pool, false)).toEqual({ people: 1, chosenBy: null });
  await choosePeople(deps(), 1, alice);
  expect(await peopleRule(database.pool, true)).toEqual({ people: 1, chosenBy: 'alice' });
  expect((await actions()).at(-1)).toEqual({ action: 'one person is enough for every act', by: 'alice' });
});
