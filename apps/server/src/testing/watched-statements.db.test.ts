import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReservedDb } from '#db/connect.ts';
import { ownDatabase } from './database.ts';
import { prepareReading, problemsOfStatement, problemsOfTransaction } from './watched-statements.ts';

/** One bucket, so that a statement finds all tables by their names. */
const database = ownDatabase(1);
let session: ReservedDb;
beforeAll(async () => {
  session = await database.pool.reserve();
  await prepareReading(session);
});
afterAll(() => session.release());

// Each as an earlier version sent it, and as Citus takes it.
test.each([
  [
    'a stable function is called with a column',
    `update debits set state = 'cleared' where id = $1::uuid and state::text = 'submitted'`,
    `update debits set state = 'cleared' where id = $1::uuid and state between 'submitted' and 'submitted'`,
  ],
  [
    'a stable function is called with a column',
    `update supporter_work set due_at = greatest($1::timestamptz, due_at + interval '1 millisecond')`,
    `update supporter_work set due_at = greatest($1::timestamptz, (due_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`,
  ],
  [
    'a function in CASE or COALESCE is not immutable',
    `update clubs set about = case when contact_changed_at > $1::timestamptz - make_interval(days => 30) then 'new' end`,
    `update clubs set about = case when contact_changed_at > $1::timestamptz then 'new' end`,
  ],
  [
    'a function in DO UPDATE SET is not immutable',
    `insert into supporter_work as work (supporter_id, kind, due_at) values ($1, 'sync', $2)
     on conflict (supporter_id, kind) do update set due_at = work.due_at + interval '1 millisecond'`,
    `insert into supporter_work as work (supporter_id, kind, due_at) values ($1, 'sync', $2)
     on conflict (supporter_id, kind) do update set due_at = excluded.due_at`,
  ],
  [
    'a function in the WHERE of ON CONFLICT is not immutable',
    `insert into supporter_work as work (supporter_id, kind, due_at) values ($1, 'sync', $2)
     on conflict (supporter_id, kind) do update set due_at = excluded.due_at where work.due_at < now()`,
    `insert into supporter_work as work (supporter_id, kind, due_at) values ($1, 'sync', $2)
     on conflict (supporter_id, kind) do update set due_at = excluded.due_at where work.due_at < excluded.due_at`,
  ],
  [
    'a function in RETURNING is not immutable',
    `delete from supporter_work where kind = 'sync' returning due_at::text`,
    `delete from supporter_work where kind = 'sync' returning due_at`,
  ],
  [
    'a function of an update is volatile',
    `update mandates set id = uuidv7() where supporter_id = $1`,
    `update mandates set id = $2 where supporter_id = $1`,
  ],
  [
    'what is inserted is selected with a stable function',
    `insert into pauses (supporter_id, paused_on) select supporter_id, to_char(rounds_from, 'YYYY-MM-DD')::date from supporters`,
    `insert into pauses (supporter_id, paused_on) select supporter_id, rounds_from from supporters`,
  ],
  [
    'what is inserted is selected with a stable function',
    `with line as (select concat_ws(' ', supporter_id, 'sync') as key, supporter_id from supporters)
     insert into supporter_work (supporter_id, kind, due_at) select supporter_id, key, $1::timestamptz from line`,
    `with line as (select supporter_id::text || ' sync' as key, supporter_id from supporters)
     insert into supporter_work (supporter_id, kind, due_at) select supporter_id, key, $1::timestamptz from line`,
  ],
  [
    'a subquery is among the values of an insert',
    `insert into pauses (supporter_id, paused_on) values ($1, (select max(resumed_on) from pauses where supporter_id = $1))`,
    `insert into pauses (supporter_id, paused_on) select $1::uuid, max(resumed_on) from pauses where supporter_id = $1`,
  ],
  [
    'an upsert into a reference table wants more than the rights to select and insert',
    `insert into direct_debit_texts (hash, version, content, kept_at) values ($1, $2, $3, $4) on conflict do nothing`,
    `insert into direct_debit_texts (hash, version, content, kept_at) values ($1, $2, $3, $4)`,
  ],
  [
    'MERGE',
    `merge into club_supporters saved using clubs on club_id = id when matched then update set supporters = 1`,
    `delete from club_supporters where club_id <> all($1)`,
  ],
  [
    'a node is asked about each row of a table of the session',
    `select club_id from requested_of_buckets requested where exists (select from debits where debits.club_id = requested.club_id)`,
    `select club_id from requested_of_buckets where club_id in (select club_id from debits where state = 'reversed')`,
  ],
  [
    'a table of the session is changed by what a node has',
    `update requested_of_buckets set reference = debits.reference from debits where debits.club_id = requested_of_buckets.club_id`,
    `insert into requested_of_buckets (reference) select reference from debits`,
  ],
])('%s: refused, until it is written otherwise', async (problem, before, after) => {
  expect(await problemsOfStatement(session, before)).toEqual([problem]);
  expect(await problemsOfStatement(session, after)).toEqual([]);
});

test('what runs on the coordinator alone is not refused', async () => {
  const text = `update timetable_runs set finished_at = coalesce(finished_at, now()) where task = 'sync'`;
  expect(await problemsOfStatement(session, text)).toEqual([]);
});

test('two roles write to a bucket in one transaction: refused, until one of them does both', () => {
  const marks = 'select mark_audit_chains($1::uuid[], $2::bigint[], $3::text[])';
  const written = 'insert into audit_checkpoints (number) values ($1)';
  expect(problemsOfTransaction(['begin ', marks, written, 'commit'])).toEqual([
    'two roles write to a bucket in one transaction',
  ]);
  expect(problemsOfTransaction(['begin ', marks, 'select add_audit_checkpoint($1)', 'commit'])).toEqual([]);
});

test('a statement that cannot be read leaves the session to read the next', async () => {
  const parameters = Array.from({ length: 101 }, (_, at) => `$${at + 1}::integer`);
  expect(await problemsOfStatement(session, `select ${parameters.join(', ')}`)).toEqual([]);
  expect(await problemsOfStatement(session, 'select 1')).toEqual([]);
});
