import { expect, test } from 'vitest';
import { divideMigration, forBucket, type Homes } from './divide-migration.ts';

const present = (): Homes =>
  new Map([
    ['debits_open', 'bucket'],
    ['alarms_to_mail', 'control'],
    ['mails_due', 'both'],
    ['alarms', 'control'],
    ['debit_within', 'bucket'],
    ['keep_in_control', 'control'],
  ]);

const homeOf = (statement: string) => {
  const { control, bucket } = divideMigration(statement, present());
  const homes = { control: control.length > 0, bucket: bucket.length > 0 };
  return Object.entries(homes)
    .flatMap(([name, isHome]) => (isHome ? [name] : []))
    .join(' and ');
};

test.each([
  ['create table debits (id uuid)', 'bucket'],
  ['-- Of debits.\ncreate table alarms (name text)', 'control'],
  ['create table if not exists mails (id uuid)', 'control and bucket'],
  ['create table debits_2027 partition of debits for values in (1)', 'bucket'],
  ['create unlogged table rate_limits (key text)', 'control'],
  ['alter table only round_ups add column a int', 'bucket'],
  ['alter table identity.users add column a int', 'control'],
  ['create unique index concurrently on debits (id)', 'bucket'],
  ['create index names on clubs (name)', 'control'],
  ['create trigger t after update on clubs for each row execute function keep_in_control()', 'control'],
  ['create trigger t after update on clubs for each row execute function refuse_change()', 'control'],
  ['drop index concurrently if exists debits_open', 'bucket'],
  ['drop index alarms_to_mail', 'control'],
  ['alter index mails_due rename to mails_next', 'control and bucket'],
  [
    'create trigger kept before update on audit_log for each row execute function refuse_change()',
    'control and bucket',
  ],
  ['create type debit_word as enum (1)', 'control'],
  ['create schema identity', 'control'],
  ['create view waiting as select * from debits join clubs using (club_id)', 'bucket'],
  ['create view closed as select * from closed_days', 'control'],
  ['create view raised as select * from alarms', 'control'],
  ['create or replace function f() returns bigint return (select count(*) from debits)', 'bucket'],
  ['create function f() returns void return debit_within(null, 1)', 'bucket'],
  ['create function double(cents bigint) returns bigint return 2 * cents', 'control'],
  ['create function raised() returns bigint return (select count(*) from alarms)', 'control'],
  ['drop function debit_within', 'bucket'],
  ['comment on column debits.dropped_on is $$why$$', 'bucket'],
  ['update debits set amount_cents = 1', 'bucket'],
  ['insert into mails select from alarms', 'control'],
  ['insert into mails select from debits', 'bucket'],
  ['update mails set due_at = now()', 'control and bucket'],
  ['insert into closed_days default values', 'control'],
])('%s: %s', (statement, home) => expect(homeOf(statement)).toBe(home));

test('semicolons in comments, texts and bodies end no statement', () => {
  const text = `-- one; two
create function f() returns trigger language plpgsql as $$ begin insert into debits values (';'); end $$;
comment on table alarms is 'it''s; this';`;
  expect(divideMigration(text, present())).toMatchObject({
    control: ["\ncomment on table alarms is 'it''s; this'"],
    bucket: [expect.stringMatching(/^-- one; two\ncreate function f.* end \$\$$/s)],
  });
});

test('objects of a migration have a home for the statements after it, and for later migrations', () => {
  const homes = present();
  const text =
    'create index waiting on debits (id); alter index waiting rename to due; create view v as select 1 from debits';
  expect(divideMigration(text, homes)).toMatchObject({ control: [], bucket: { length: 3 } });
  expect(divideMigration('drop index due; drop view v', homes)).toMatchObject({ control: [], bucket: { length: 2 } });
});

test('a routine that joins a bucket with control is a bucket’s, and one that names neither is for both to call', () => {
  const homes = present();
  divideMigration('create function joined() returns bigint return (select count(*) from debits, alarms)', homes);
  divideMigration('create function double(cents bigint) returns bigint return 2 * cents', homes);
  expect([homes.get('joined'), homes.get('double')]).toEqual(['bucket', 'reference']);
  expect(divideMigration('insert into mails select double(1)', homes)).toMatchObject({
    control: { length: 1 },
    bucket: { length: 1 },
  });
});

test('control has no key to supporters, and a function of a bucket looks into it first', () => {
  const mails = 'create table mails (supporter_id uuid references supporters, club_id uuid references clubs)';
  expect(divideMigration(mails, present())).toEqual({
    control: ['create table mails (supporter_id uuid, club_id uuid references clubs)'],
    bucket: [mails],
  });
  const secure = 'create function f() returns void security definer set search_path = public, pg_temp return null';
  expect(forBucket([secure], 'bucket_07')).toEqual([secure.replace('public,', 'bucket_07, public,')]);
});
