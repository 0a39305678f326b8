import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Follower, liveChanges } from './live-changes.ts';

/** A live stream of invented figures, and its followers. */
function someFollowers() {
  const figures = { retrieveToday: 1, listApprovals: 1, listRuns: 1, retrieveRun: 1, retrieveRunState: 1 };
  const world = { figures, readings: 0, isBroken: false, isStuck: false, ended: new Set<string>() };
  const live = liveChanges({
    everyMs: 5,
    longestLookMs: 100,
    read: async () => {
      if (world.isBroken) throw new Error('no answer');
      if (world.isStuck) await new Promise(() => {});
      world.readings += 1;
      return world.figures;
    },
    listSessions: async (sessions) => new Set(sessions.filter((session) => !world.ended.has(session))),
  });
  const follow = (operatorId: string, session: string) => {
    const heard = { names: [] as string[], isEnded: false };
    const follower: Follower = {
      operatorId,
      session,
      send: (text) => heard.names.push(...(JSON.parse(/data: (.*)/.exec(text)?.[1] ?? '{}').changed ?? [])),
      end: () => (heard.isEnded = true),
    };
    return { heard, leave: live.follow(follower) };
  };
  return { world, follow };
}

/** Waits until all initial messages are sent. */
async function settled({ world }: ReturnType<typeof someFollowers>): Promise<void> {
  const before = world.readings;
  await expect.poll(() => world.readings).toBeGreaterThan(before + 1);
}

test('every follower hears about changes, and nothing is read once nobody follows', async () => {
  const some = someFollowers();
  const [one, other] = [some.follow('olive', 'a'), some.follow('fay', 'b')];
  await settled(some);
  one.heard.names = [];
  other.heard.names = [];
  some.world.figures = { ...some.world.figures, listApprovals: 2 };
  await expect.poll(() => other.heard.names).toEqual(['listApprovals']);
  expect(one.heard.names).toEqual(['listApprovals']);
  const { readings } = some.world;
  one.leave();
  other.leave();
  await wait(30);
  expect(some.world.readings).toBeLessThanOrEqual(readings + 1);
});

test('a stream ends with its session, and the others continue', async () => {
  const some = someFollowers();
  const [one, other] = [some.follow('olive', 'a'), some.follow('fay', 'b')];
  some.world.ended.add('a');
  await expect.poll(() => one.heard.isEnded).toBe(true);
  expect(other.heard.isEnded).toBe(false);
  other.leave();
});

test('every stream ends if the figures cannot be read, and a later one hears about all of them again', async () => {
  const some = someFollowers();
  const one = some.follow('olive', 'a');
  some.world.isBroken = true;
  await expect.poll(() => one.heard.isEnded).toBe(true);
  some.world.isBroken = false;
  const again = some.follow('olive', 'a');
  await expect.poll(() => again.heard.names).toContain('retrieveToday');
  await settled(some);
  again.leave();
});

test('one person has five streams at most: the oldest makes room', () => {
  const some = someFollowers();
  const six = Array.from({ length: 6 }, (_, index) => some.follow('olive', String(index)));
  expect(six.map(({ heard }) => heard.isEnded)).toEqual([true, false, false, false, false, false]);
  for (const { leave } of six) leave();
});

test('streams end if the figures never come, and the next follower hears about them again', async () => {
  const some = someFollowers();
  some.world.isStuck = true;
  const { heard } = some.follow('olive', 'a');
  await expect.poll(() => heard.isEnded).toBe(true);
  some.world.isStuck = false;
  const next = some.follow('olive', 'a');
  await expect.poll(() => next.heard.names).toContain('retrieveToday');
  next.leave();
});
