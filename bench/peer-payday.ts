import { connect, type Pool } from '@sparechange/server/db/connect.ts';
import { makePeerDatabase, type PeerSql, statementsIn } from './peer-sql.ts';
import { measurePlanSeconds } from './plan.ts';
import { rounded, timed } from './stopwatch.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

/** Supporters of the largest run; the others have a quarter and a half of them. */
const maxPlanned = 20_000;
/** Teams, equal in number to the clubs of the product's bench. */
const teams = 500;
const began = '2016-06-02T00:00:00Z';

/**
 * Makes participants of Gratipay that each give to one team, out of a balance that covers it, so that no card has to be
 * charged; and teams whose owners can be paid.
 */
async function fillGratipay(db: Pool, participants: number): Promise<void> {
  await db`
    insert into participants (username, username_lower, claimed_time, balance, is_suspicious)
    select name, name, timestamptz '2016-01-01T00:00:00Z' + n * interval '1 second', 1000, false
    from generate_series(1, ${participants + teams}::int) n, lateral (select 'participant' || n as name) named`;
  await db`
    insert into teams (slug, slug_lower, name, homepage, product_or_service, owner, is_approved)
    select 'team' || n, 'team' || n, 'Team ' || n, '', '', 'participant' || (${participants}::int + n), true
    from generate_series(1, ${teams}::int) n`;
  await db`
    insert into exchange_routes (participant, network, address, error)
    select owner.id, 'paypal', owner.username || '@example.com', ''
    from teams join participants owner on owner.username = teams.owner`;
  await db`
    insert into payment_instructions (ctime, mtime, amount, participant_id, team_id)
    select ${began}, ${began}, 1 + number % 900 / 100.0, payer.id, team.id
    from (select id, row_number() over (order by md5(username)) as number from participants
      where not exists (select from teams where owner = username)) payer
    join teams team on team.slug = 'team' || (1 + number % ${teams}::int)`;
  await db`insert into paydays (ts_start) values ('2016-06-09T00:00:00Z')`;
  await db`vacuum analyze`;
}

/** Returns the statements of a payday that touch its own tables alone, in their order; none that charges a card. */
function paydayOf([, preparation = '', python = '']: string[]): string[] {
  const methods = ['process_payment_instructions', 'process_takes', 'process_remainder', 'update_balances'];
  const statements = methods.flatMap((method) => statementsIn(python, method));
  return [preparation, ...statements].map((text) =>
    text.replaceAll('%(ts_start)s', "timestamptz '2016-06-09T00:00:00Z'"),
  );
}

/** Plays a payday of a number of participants; returns its seconds. Throws where not everybody paid. */
async function paydaySeconds({ pool, url }: SupportersDatabase, sql: string[], participants: number): Promise<number> {
  const [schema = ''] = sql;
  const address = await makePeerDatabase(pool, url, 'gratipay', [schema]);
  const db = connect(address, { max: 1, name: 'sparechange bench' });
  await fillGratipay(db, participants);
  await pool`checkpoint`;
  const seconds = await timed(`peers: payday of ${participants}`, () =>
    db.begin(async (tx) => {
      for (const statement of paydayOf(sql)) await tx.unsafe(statement);
    }),
  );
  const [paid] = await db<{ count: number }[]>`select count(*) as count from payments where direction = 'to-team'`;
  await db.end();
  if (paid?.count !== participants) throw new Error(`${paid?.count} of ${participants} participants paid.`);
  return seconds;
}

interface Planned {
  supporters: number;
  /** A round each. */
  productSeconds: number[];
  gratipaySeconds: number;
}

/** Opens a database of each size, all of them at the same time, so that a round of every size fits in a minute. */
function withEachSize<Result>(
  left: number[],
  work: (opened: SupportersDatabase[]) => Promise<Result>,
  opened: SupportersDatabase[] = [],
): Promise<Result> {
  const [size, ...others] = left;
  if (size === undefined) return work(opened);
  return withSupporters(size, (prepared) => withEachSize(others, work, [...opened, prepared]));
}

/**
 * Returns by how much each doubling multiplies the seconds of one supporter; of several rounds the shortest count, as
 * other work of the machine only adds to them.
 */
const doublings = (planned: Planned[], secondsOf: (each: Planned) => number): number[] =>
  planned.slice(1).map((larger, at) => {
    const smaller = planned[at] ?? larger;
    return rounded(secondsOf(larger) / larger.supporters / (secondsOf(smaller) / smaller.supporters));
  });

/** Plans a run of each size in turn, each beside a payday of equal size; a payday, which takes minutes, once. */
export function measurePaydays(sql: PeerSql, runs: number, supporters: number) {
  const largest = Math.min(maxPlanned, supporters);
  const sizes = [4, 2, 1].map((share) => Math.floor(largest / share));
  return withEachSize(sizes, async (opened) => {
    const planned: Planned[] = [];
    for (const [at, prepared] of opened.entries()) {
      const supporters = sizes[at] ?? 0;
      const gratipaySeconds = await paydaySeconds(prepared, sql.gratipay, supporters);
      planned.push({ supporters, productSeconds: [], gratipaySeconds: rounded(gratipaySeconds) });
    }
    for (let run = 0; run < runs; run++)
      for (const [at, { pool, tenants }] of opened.entries())
        planned[at]?.productSeconds.push(rounded(await measurePlanSeconds(pool, tenants)));
    return {
      productDoublings: doublings(planned, ({ productSeconds }) => Math.min(...productSeconds)),
      gratipayDoublings: doublings(planned, ({ gratipaySeconds }) => gratipaySeconds),
      planned,
    };
  });
}
