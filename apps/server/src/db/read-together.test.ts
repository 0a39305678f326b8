import { expect, test } from 'vitest';
import { readTogether } from './read-together.ts';

/** A reader of squares that notes what each statement reads, and fails on 13. */
function aReader() {
  const statements: number[][] = [];
  const read = readTogether(
    (name: string) => name,
    async (_name, keys: number[]) => {
      statements.push(keys);
      if (keys.includes(13)) throw new Error('13 cannot be read');
      return new Map(keys.filter((key) => key > 0).map((key) => [key, key * key]));
    },
  );
  return { read, statements };
}

test('what is asked for in one moment is read by one statement, each context by its own', async () => {
  const { read, statements } = aReader();
  expect(await Promise.all([read('a', 1), read('a', 2), read('b', 3), read('a', -1)])).toEqual([1, 4, 9, undefined]);
  expect(statements).toEqual([[1, 2, -1], [3]]);
  expect(await read('a', 5)).toBe(25);
  expect(statements).toHaveLength(3);
});

test('a row that cannot be read does not block the others', async () => {
  const { read } = aReader();
  const [one, failed, two] = await Promise.allSettled([read('a', 1), read('a', 13), read('a', 2)]);
  expect([one, two]).toMatchObject([{ value: 1 }, { value: 4 }]);
  expect(failed).toMatchObject({ reason: new Error('13 cannot be read') });
});
