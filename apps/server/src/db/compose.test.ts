import { expect, test } from 'vitest';
import type { Args } from './compose.ts';
import { oneBucket } from './scope.ts';
import type { Statement } from './statement.ts';
import { makeTag } from './tag.ts';

const refuse = () => Promise.reject(new Error('Nothing is run here.'));
const sql = makeTag({ run: refuse, openTransaction: refuse }, oneBucket);

const composed = (statement: Statement<readonly unknown[]>) => {
  const values: unknown[] = [];
  return { text: statement.compose(values), values };
};

test('values become places in the order of the text', () => {
  const { text, values } = composed(sql`select ${1}, ${'two'}, ${null}, ${['a', 'b']}`);
  expect(text).toBe('select $1, $2, $3, $4');
  expect(values).toEqual([1, 'two', null, ['a', 'b']]);
});

test('values whose text could be read as another type are sent with their type', () => {
  const { text, values } = composed(
    sql`select ${new Date(0)} + ${'1 day'}, ${true}, ${5n}, ${Buffer.from('x')}, ${sql.json({ a: [1] })}`,
  );
  expect(text).toBe('select $1::timestamptz + $2, $3::boolean, $4::bigint, $5::bytea, $6::jsonb');
  expect(values).toEqual(['1970-01-01T00:00:00.000Z', '1 day', 't', '5', Buffer.from('x'), '{"a":[1]}']);
});

test('a statement within another becomes a part of it, several one after the other', () => {
  const due = (day: string) => sql`due = ${day}`;
  const parts = ['b', 'c'].map((name) => sql`${sql(name)} = ${name} and`);
  const { text, values } = composed(sql`select ${1} where ${due('today')} and ${parts} ${sql.unsafe('true')} = ${2}`);
  expect(text).toBe('select $1 where due = $2 and "b" = $3 and "c" = $4 and true = $5');
  expect(values).toEqual([1, 'today', 'b', 'c', 2]);
});

test('names are quoted, with their schema, alone and as a list', () => {
  expect(composed(sql`select ${sql(['id', 'unusual "name'])} from ${sql('direct_entry.files')}`).text).toBe(
    'select "id", "unusual ""name" from "direct_entry"."files"',
  );
});

test('rows become the columns and values of an insert', () => {
  const rows = [
    { id: 1, at: new Date(0) },
    { id: 2, at: null },
  ];
  const { text, values } = composed(sql`insert into t ${sql(rows)} returning id`);
  expect(text).toBe('insert into t ("id", "at") values ($1, $2::timestamptz), ($3, $4) returning id');
  expect(values).toEqual([1, '1970-01-01T00:00:00.000Z', 2, null]);
});

test.each([[undefined], [[1, undefined]]])('a value that is undefined is refused, not sent as null: %j', (value) => {
  expect(() => composed(sql`select ${value as unknown as Args[number]}`)).toThrow('undefined');
});
