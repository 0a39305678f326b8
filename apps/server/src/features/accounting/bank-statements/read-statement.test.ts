import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';
import { readStatement } from './read-statement.ts';

const csv = (rows: number): string =>
  ['date,amount,description', ...Array.from({ length: rows }, (_, at) => `2026-11-20,1.00,CARD ${at}`)].join('\n');

/** Returns this thread's lowest processor time in three tries, as a first one compiles and collects garbage. */
const cpuOf = async (work: () => unknown): Promise<number> => {
  const tries: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const before = process.threadCpuUsage();
    await work();
    tries.push(process.threadCpuUsage(before).user);
  }
  return Math.min(...tries);
};

/** Returns the longest processor time of one turn of this thread during some work, in microseconds. */
const longestTurn = async (work: () => unknown): Promise<number> => {
  let [longest, isDone] = [0, false];
  const turns = (async () => {
    while (!isDone) {
      const before = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, user + system);
    }
  })();
  await work();
  isDone = true;
  await turns;
  return longest;
};

test('80,000 lines read in another process return in turns, with room for other work in between', async () => {
  const large = Buffer.from(csv(80_000));
  const tries: number[] = [];
  for (let count = 0; count < 3; count += 1)
    tries.push(
      await longestTurn(async () => {
        const { lines } = await readStatement(large);
        expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([80_000, 'CARD 0', 'CARD 79999']);
      }),
    );
  expect(Math.min(...tries)).toBeLessThan(50_000);
});

test('a statement is read in another process, with its content and its problems', async () => {
  expect(await readStatement(Buffer.from(csv(2)))).toMatchObject({ lines: [{ cents: 100 }, { text: 'CARD 1' }] });
  await expect(readStatement('date,amount,description\n2026-11-20,1.005,X\n')).rejects.toMatchObject({
    name: 'StatementProblem',
    code: 'invalid-input',
    message: 'line 2: "1.005" is not an amount of whole cents, such as 12.50.',
  });
});

test('a file that crashes its reader is refused, and the next one is read', async () => {
  const tried = await Promise.allSettled([readStatement(csv(80_000), { cpuMs: 10 }), readStatement(csv(1))]);
  expect(tried[0]).toMatchObject({ status: 'rejected', reason: { code: 'invalid-input' } });
  expect(tried[1]).toMatchObject({ status: 'fulfilled' });
});

test('a large statement takes less of this thread if another process reads it', async () => {
  const large = Buffer.from(csv(80_000));
  await readStatement(csv(1));
  const [here, beside] = [await cpuOf(() => parseStatement(large)), await cpuOf(() => readStatement(large))];
  expect(beside).toBeLessThan(here);
});
