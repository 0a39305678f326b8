import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';

const database = ownDatabase();

const read = async (expression: string) => {
  const [row] = await database.pool.unsafe<{ value: unknown }[]>(`select ${expression} as value`);
  return row?.value;
};

test.each([
  ['true', true],
  ['1::smallint', 1],
  ['1::int', 1],
  ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
  ['1.5::float8', 1.5],
  ['1.50::numeric', '1.50'],
  [`date '2026-11-30'`, '2026-11-30'],
  [`timestamptz '2026-11-30 10:00:00.123+11'`, new Date('2026-11-29T23:00:00.123Z')],
  [`jsonb '{"a": [1, null]}'`, { a: [1, null] }],
  [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
  [`interval '1 day'`, '1 day'],
  [`'planned'::debit_state`, 'planned'],
  [`array[date '2026-11-30', null]`, ['2026-11-30', null]],
  [
    'array[[1::bigint, 2], [3, 4]]',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [`array['a,b', 'say "x"', '']`, ['a,b', 'say "x"', '']],
  [`array[true, false]`, [true, false]],
  [`array[]::text[]`, []],
  ['null::bigint', null],
])('%s is read as our type', async (expression, value) => {
  expect(await read(expression)).toEqual(value);
});

test('a bigint that a number cannot hold is refused, and the connection stays usable', async () => {
  await expect(read('9007199254740993::bigint')).rejects.toThrow('too large');
  expect(await read('1')).toBe(1);
});

test.each([
  ['text', 'O’Neil "x" \\ \n'],
  ['date', '2026-11-30'],
  ['bigint', 9_007_199_254_740_991],
  ['boolean', false],
  ['timestamptz', new Date('2026-11-30T10:00:00.123Z')],
  ['bytea', Buffer.from([0, 39, 92, 255])],
  ['text[]', ['a', 'b "c"', 'd\\e', null, 'null']],
  ['bigint[]', [1, 2]],
])('a %s that is sent comes back', async (type, value) => {
  const { pool } = database;
  const [row] = await pool<{ value: unknown }[]>`select ${value}::${pool.unsafe(type)} as value`;
  expect(row?.value).toEqual(value);
});

test('json is stored as it is, text and lists included', async () => {
  const { pool } = database;
  for (const value of ['text', [1, 'two'], { a: null }, 5, null]) {
    const [row] = await pool<{ value: unknown }[]>`select ${pool.json(value)} as value`;
    expect(row?.value).toEqual(value);
  }
});
