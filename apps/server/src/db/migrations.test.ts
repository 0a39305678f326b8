import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type MigrationFile, migrationProblems } from '#testing/migration-problems.ts';

const names = readdirSync(new URL('./migrations/', import.meta.url)).sort();
const stampOf = (name: string): string => /^(\d{14})_[a-z_]+\.sql$/.exec(name)?.[1] ?? '';

/** Returns the instant that fourteen digits write, if any. */
function instantOf(stamp: string): string | undefined {
  const date = new Date(stamp.replace(/^(\d{4})(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\D/g, '').slice(0, 14);
}

test('migrations are named by a timestamp and a subject', () => {
  expect(names.filter((name) => stampOf(name) === '' || instantOf(stampOf(name)) !== stampOf(name))).toEqual([]);
});

test('no two migrations have the same timestamp', () => {
  expect(names.filter((name, at) => at > 0 && stampOf(name) <= stampOf(names[at - 1] ?? ''))).toEqual([]);
});

const files = names.map((name) => ({
  name,
  text: readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8'),
}));

/** Earlier ones have run nowhere beside a version that was in use. */
const firstBesideAnother = '20261124';

test('the version before a migration keeps working with it', () => {
  const later = files.filter(({ name }) => name >= firstBesideAnother);
  const problems = later.flatMap((file) =>
    migrationProblems(
      file,
      files.filter(({ name }) => name < file.name),
    ).map((problem) => `${file.name}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

describe('a migration that would stop the version before it', () => {
  const earlier: MigrationFile[] = [
    { name: '1_gifts.sql', text: 'create table gifts (id bigint primary key, note text);' },
  ];
  const check = (text: string, before = earlier) => migrationProblems({ name: '9_new.sql', text }, before);

  test.each([
    ['alter table gifts drop column note;', /^alter table gifts drop column note: .*"-- contracts NAME\.sql: why"/],
    ['alter table gifts add column a text, drop note;', /drop note: .*still uses it/],
    ['drop table gifts;', /still uses it/],
    ['-- contracts 8_unknown.sql: gone\ndrop table gifts;', /still uses it/],
    ['alter table gifts rename note to words;', /write both/],
    ['alter table gifts rename to donations;', /write both/],
    ['create table gifts (id int); alter table gifts rename to donations;', /write both/],
    ['alter index gifts_pkey rename to gifts_key; create table others (id int);', /write both/],
    ["alter type state rename value 'a' to 'b';", /write both/],
    ['alter table gifts alter column note type varchar(9);', /a column of the new type/],
    ['alter table gifts alter note set data type int using 1;', /a column of the new type/],
    ['alter table gifts alter column note set not null;', /check \(note is not null\) not valid/],
    ['create index gifts_by_note on gifts (note);', /create index concurrently/],
    ['create unique index on only gifts (note);', /create index concurrently/],
    ['create index concurrently gifts_by_note on gifts (note);', /begins "-- outside a transaction: why"/],
    [
      '-- outside a transaction: big\ncreate index concurrently a on gifts (note);',
      /drop index concurrently if exists a;/,
    ],
    [
      '-- outside a transaction: big\ndrop index concurrently if exists a;\ncreate index concurrently a on shop.gifts (note);',
      /drop index concurrently if exists shop\.a;/,
    ],
    ['-- outside a transaction: big\ncreate index a on gifts (note);', /created concurrently, and has a name/],
    ['-- outside a transaction: big\nalter table gifts add column a int;', /a file that runs in a transaction/],
    ['-- outside a transaction: big\ninsert into gifts values (1);', /only indexes/],
    ['alter table gifts add constraint a check (id > 0);', /"not valid"/],
    ['alter table gifts add foreign key (note) references others;', /"not valid"/],
    [
      'alter table gifts add constraint a check (id > 0) not valid; alter table gifts validate constraint a;',
      /in a later file/,
    ],
    ['alter table gifts add constraint a unique (note);', /"using index"/],
    ['alter table gifts add column a int not null;', /constant default/],
    ['alter table gifts add column a uuid default gen_random_uuid();', /differs by row/],
    ['alter table gifts add a int generated always as (id * 2) stored;', /differs by row/],
    ['alter table gifts add column a int check (a > 0);', /by itself/],
    ["update gifts set note = '' where note is null;", /in pages/],
  ])('%s', (text, problem) => expect(check(text).join('\n')).toMatch(problem));

  test.each([
    'alter table gifts add column a int, add b text not null default 1;',
    'alter table gifts add a int generated always as (id * 2) virtual;',
    'alter table gifts drop constraint gifts_pkey;',
    'alter table gifts alter column note drop not null;',
    'create table new (id int primary key, a int check (a > 0)); create index on new (a); alter table new add check (id > 0);',
    '-- safe: it has a row for each tenant\ncreate index on gifts (note);',
    '-- outside a transaction: big\ndrop index concurrently if exists a;\ncreate index concurrently a on gifts (note);',
    '-- outside a transaction: big\ndrop index concurrently if exists shop.a;\ncreate index concurrently a on shop.gifts (note);',
    'alter table gifts rename to gifts_default; alter index gifts_pkey rename to old; create table gifts (id bigint) partition by range (id);',
    'alter index by_note rename to old; create table gifts (id int); create index by_note on gifts (note);',
    '-- contracts 1_gifts.sql: nothing reads it since\nalter table gifts drop column note;',
    'create function f() returns int language plpgsql as $$ begin drop table gifts; end $$;',
    "insert into new values ('drop table gifts; --');",
    'alter table gifts add constraint a check (id > 0) not valid;',
    'alter table gifts add constraint a unique using index b;',
  ])('is not: %s', (text) => expect(check(text)).toEqual([]));

  test('is not one that sets "not null" in three steps', () => {
    const add = {
      name: '2_add.sql',
      text: 'alter table gifts add constraint noted check (note is not null) not valid;',
    };
    const validate = { name: '3_validate.sql', text: 'alter table gifts validate constraint noted;' };
    const set = 'alter table gifts alter column note set not null;';
    expect(check(set, [...earlier, add])).toHaveLength(1);
    expect(check(set, [...earlier, add, validate])).toEqual([]);
  });
});
