import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import type { WorkLimits } from '#documents/own-process.ts';
import { parseStatement } from './parse-statement.ts';
import { type OpenedStatement, withStatement } from './read-statement.ts';

const history = { hasLines: false, acceptedCents: [] };

/** Lists the pages of lines of a first statement. */
async function pagesOf({ decide, nextLines }: OpenedStatement): Promise<string[]> {
  await decide({ history, given: {} });
  const pages: string[] = [];
  for (let page = await nextLines(); page; page = await nextLines()) pages.push(page);
  return pages;
}

const openFile = <Result>(
  content: Uint8Array | string,
  work: (statement: OpenedStatement) => Promise<Result>,
  { isPacked = false, ...limits }: Partial<WorkLimits> & { isPacked?: boolean } = {},
) => withStatement({ content, isPacked, lastBookingDay: isoDate('2026-11-25') }, work, limits);

const readStatement = (content: Uint8Array | string, limits: Partial<WorkLimits> & { isPacked?: boolean } = {}) =>
  openFile(content, pagesOf, limits);

interface ReadLine {
  description: string;
  cents: number;
}
const linesIn = (pages: readonly string[]) => pages.flatMap((page) => JSON.parse(page) as ReadLine[]);

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
  const limitUs = 50_000;
  let [shortest, tries] = [Number.POSITIVE_INFINITY, 0];
  for (; shortest >= limitUs && tries < 3; tries += 1)
    shortest = Math.min(
      shortest,
      await longestTurn(async () => {
        const pages = await readStatement(large);
        expect(pages).toHaveLength(80);
        const ends = [...linesIn(pages.slice(0, 1)).slice(0, 1), ...linesIn(pages.slice(-1)).slice(-1)];
        expect(ends.map(({ description }) => description)).toEqual(['CARD 0', 'CARD 79999']);
      }),
    );
  expect(shortest).toBeLessThan(limitUs);
});

test('a statement is read in another process, with its content and its problems', async () => {
  expect(linesIn(await readStatement(Buffer.from(csv(2))))).toMatchObject([{ cents: 100 }, { description: 'CARD 1' }]);
  await expect(readStatement('date,amount,description\n2026-11-20,1.005,X\n')).rejects.toMatchObject({
    name: 'StatementProblem',
    code: 'invalid-input',
    message: 'line 2: "1.005" is not an amount of whole cents, such as 12.50.',
  });
});

test('a packed file is unpacked in the other process, and refused if it has not arrived whole', async () => {
  const packed = gzipSync(csv(2));
  expect(linesIn(await readStatement(packed, { isPacked: true }))).toHaveLength(2);
  await expect(readStatement(packed.subarray(0, 30), { isPacked: true })).rejects.toThrow('has not arrived whole');
  await expect(readStatement(gzipSync(packed), { isPacked: true })).rejects.toThrow('This is a file packed with gzip.');
});

test('a file that unpacks to more than any statement is refused before it is read', async () => {
  const part = gzipSync(Buffer.alloc(16 * 1_048_576));
  const bomb = Buffer.concat(Array.from({ length: 20 }, () => part));
  await expect(readStatement(bomb, { isPacked: true })).rejects.toThrow('takes too much time or memory');
});

test('work on a statement whose reader dies between two pages is refused, and the next file is read', async () => {
  const work = async ({ decide, nextLines }: OpenedStatement) => {
    await decide({ history, given: {} });
    await nextLines();
    throw new Error('the database is gone');
  };
  await expect(openFile(csv(5_000), work)).rejects.toThrow('the database is gone');
  const slow = async ({ keepKnown }: OpenedStatement) => {
    for (;;) await keepKnown('[]'); // until its processor time is over
  };
  await expect(openFile(csv(1), slow, { cpuMs: 100 })).rejects.toThrow('takes too much time or memory');
  expect(linesIn(await readStatement(csv(1)))).toHaveLength(1);
});

test('a file that crashes its reader is refused, and the next one is read', async () => {
  const tried = await Promise.allSettled([readStatement(csv(80_000), { cpuMs: 10 }), readStatement(csv(1))]);
  expect(tried[0]).toMatchObject({ status: 'rejected', reason: { code: 'invalid-input' } });
  expect(tried[1]).toMatchObject({ status: 'fulfilled' });
});

test('a large statement takes less of this thread if another process reads it', async () => {
  const large = Buffer.from(csv(20_000));
  await readStatement(csv(1));
  const [here, beside] = [await cpuOf(() => parseStatement(large)), await cpuOf(() => readStatement(large))];
  expect(beside).toBeLessThan(here);
});
