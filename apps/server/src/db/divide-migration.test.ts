import { expect, test } from 'vitest';
import { divideMigration, forBucket, type Homes } from './divide-migration.ts';

const present: Homes = new Map([
  ['debits_open', { control: false, bucket: true }],
  ['alarms_to_mail', { control: true, bucket: false }],
  ['mails_due', { control: true, bucket: true }],
  ['alarms', { control: true, bucket: false }],
  ['debit_within', { control: false, bucket: true }],
]);

const homeOf = (statement: string) => {
  const { control, bucket } = divideMigration(statement, present);
  return [control.length > 0 ? 'control' : '', bucket.length > 0 ? 'bucket' : ''].filter(Boolean).join(' and ');
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
  ['drop index concurrently if exists debits_open', 'bucket'],
  ['drop index alarms_to_mail', 'control'],
  ['alter index mails_due rename to mails_next', 'control and bucket'],
  [
    'create trigger kept before update on audit_log for each row execute function refuse_change()',
    'control and bucket',
  ],
  ['create type debit_word as enum (1)', 'control'],
  ['create view waiting as select * from debits join clubs using (club_id)', 'bucket'],
  ['create view closed as select * from closed_days', 'control'],
  ['create or replace function f() returns bigint return (select count(*) from debits)', 'bucket'],
  ['create function f() returns void return debit_within(null, 1)', 'bucket'],
  ['create function double(cents bigint) returns bigint return 2 * cents', 'control'],
  ['drop function debit_within', 'bucket'],
  ['comment on column debits.dropped_on is $$why$$', 'bucket'],
  ['update debits set amount_cents = 1', 'bucket'],
  ['insert into mails select from alarms', 'control'],
  ['insert into mails select from debits', 'bucket'],
  ['update mails set due_at = now()', 'control and bucket'],
])('%s: %s', (statement, home) => expect(homeOf(statement)).toBe(home));

test('semicolons in comments, texts and bodies end no statement', () => {
  const text = `-- one; two
create function f() returns trigger language plpgsql as $$ begin insert into debits values (';'); end $$;
comment on table alarms is 'it''s; this';`;
  expect(divideMigration(text, present)).toMatchObject({
    control: ["\ncomment on table alarms is 'it''s; this'"],
    bucket: [expect.stringMatching(/^-- one; two\ncreate function f.* end \$\$$/s)],
  });
});

test('what a migration makes has its home for the statements after it', () => {
  const text =
    'create index waiting on debits (id); drop index waiting; create view v as select 1 from debits; drop view v';
  expect(divideMigration(text, present)).toMatchObject({ control: [], bucket: { length: 4 } });
});

test('control keeps no key to supporters, and a function of a bucket looks into it first', () => {
  const mails = 'create table mails (supporter_id uuid references supporters, club_id uuid references clubs)';
  expect(divideMigration(mails, present)).toEqual({
    control: ['create table mails (supporter_id uuid, club_id uuid references clubs)'],
    bucket: [mails],
  });
  const secure = 'create function f() returns void security definer set search_path = public, pg_temp return null';
  expect(forBucket([secure], 'bucket_07')).toEqual([secure.replace('public,', 'bucket_07, public,')]);
});
