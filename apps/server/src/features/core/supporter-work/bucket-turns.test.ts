import { expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { bucketTurns } from './bucket-turns.ts';

/** Creates a worker over buckets with these numbers of work items; a negative number makes that bucket throw. */
function aWorker(...work: number[]) {
  const buckets = work.map((_, number) => number as unknown as Pool);
  let ms = 0;
  const asked: number[] = [];
  const failures: unknown[] = [];
  const turns = bucketTurns({ db: { inBuckets: () => buckets } as Pool, clock: { now: () => new Date(ms) } });
  let answerMs = 0;
  const takeFrom = async (bucket: Pool, limit: number) => {
    const number = Number(bucket);
    asked.push(number);
    ms += answerMs;
    const left = work[number] ?? 0;
    if (left < 0) throw new Error(`bucket ${number}`);
    work[number] = Math.max(0, left - limit);
    return Array.from({ length: Math.min(left, limit) }, () => number);
  };
  return {
    take: (limit: number) => turns.take(limit, takeFrom, (error) => void failures.push(error)),
    takeAsked: () => asked.splice(0),
    passMs: (by: number) => {
      ms += by;
    },
    setAnswerMs: (each: number) => {
      answerMs = each;
    },
    failures,
  };
}

test('a long queue does not hold up other buckets', async () => {
  const { take } = aWorker(1_000, 0, 3, 1_000);
  const taken: number[] = [];
  for (let batch = 0; batch < 4; batch += 1) taken.push(...(await take(4)));
  expect([0, 2, 3].map((bucket) => taken.filter((each) => each === bucket).length)).toEqual([8, 3, 5]);
});

test('a batch that one bucket can fill takes one query', async () => {
  const { take, takeAsked } = aWorker(100, 100, 100, 100);
  expect(await take(4)).toHaveLength(4);
  expect(takeAsked()).toHaveLength(1);
});

test.each([2, 4, 16, 64])(
  'an idle worker makes at most four queries a second over %i buckets, and reaches each of them',
  async (count) => {
    const { take, takeAsked, passMs } = aWorker(...Array.from({ length: count }, () => 0));
    for (let tenth = 0; tenth < 1_200; tenth += 1) {
      await take(32);
      passMs(100);
    }
    const asked = takeAsked();
    expect(asked.length).toBeLessThanOrEqual(120 * 4 + count);
    expect(new Set(asked).size).toBe(count);
  },
);

test('the only bucket is asked each time', async () => {
  const { take, takeAsked } = aWorker(0);
  for (let times = 0; times < 3; times += 1) await take(32);
  expect(takeAsked()).toEqual([0, 0, 0]);
});

test('a failing bucket does not deprive others of their turns', async () => {
  const { take, failures } = aWorker(2, -1, 2, 2);
  expect(await take(32)).toEqual([0, 0, 2, 2, 3, 3]);
  expect(failures).toEqual([new Error('bucket 1')]);
});

test('a slow bucket rests from the moment of its answer', async () => {
  const { take, takeAsked, setAnswerMs, passMs } = aWorker(0, -1);
  setAnswerMs(10_000);
  await take(32);
  setAnswerMs(0);
  await take(32);
  expect(takeAsked()).toEqual([0, 1, 0]); // the first has rested while the second was asked
  passMs(500);
  await take(32);
  expect(takeAsked()).toEqual([1, 0]);
});
