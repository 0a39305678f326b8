import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { StartProblem } from '#errors.ts';
import type { Pool } from './pool.ts';

/** The first version that has all that migrations use, `uuidv7()` among it. */
const oldestVersion = 18;

/** Sessions of our own never wait for each other's transactions. */
const patienceMs = 10_000;

/** Connections that others leave to us and take from us differ from one time to the next. */
const rounds = 5;

/**
 * Throws StartProblem, before anything is changed, where the server is too old, or where something between it and the product,
 * as PgBouncer is, hands sessions to others or loses what the product sets when a session begins.
 */
export async function refuseUnfitServer({ connections }: Pool): Promise<void> {
  const opened: pg.Client[] = [];
  const open = async () => {
    const client = await connections.open();
    opened.push(client);
    return client;
  };
  try {
    const one = await open();
    await refuseOld(one);
    const other = await open();
    if (!(await staysOurs(one, other)))
      throw new StartProblem(
        `The proxy in front of the database server shares a session after each transaction, as PgBouncer does in transaction mode, and the product needs sessions of its own: set pool_mode = session, or give DATABASE_URL the address of PostgreSQL itself.`,
      );
    await refuseLostSettings(one, connections.limits);
  } finally {
    for (const client of opened) void client.end();
  }
}

async function refuseOld(client: pg.Client): Promise<void> {
  const [row] = (
    await client.query<{ number: string; text: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
    )
  ).rows;
  if (Number(row?.number) < oldestVersion * 10_000)
    throw new StartProblem(
      `The database server is PostgreSQL ${row?.text}, and the product needs ${oldestVersion} or newer.`,
    );
}

const markOf = (client: pg.Client): Promise<string | undefined> =>
  client
    .query<{ mark: string }>(`select current_setting('sparechange.session', true) as mark`)
    .then(({ rows }) => rows[0]?.mark);

/** Returns whether two sessions each keep what was set in them while they take turns with transactions. */
async function staysOurs(one: pg.Client, other: pg.Client): Promise<boolean> {
  const marks = new Map([one, other].map((client) => [client, randomUUID()]));
  const late = wait(patienceMs, 'late', { ref: false });
  const keeps = async (client: pg.Client) => (await Promise.race([markOf(client), late])) === marks.get(client);
  for (const [client, mark] of marks) await client.query(`select set_config('sparechange.session', '${mark}', false)`);
  for (let round = 0; round < rounds; round += 1)
    for (const [begins, looks] of [
      [one, other],
      [other, one],
    ] as const) {
      const hasBegun = await begins.query('begin').then(
        () => true,
        () => false, // as in statement mode, which has no transactions
      );
      if (!hasBegun || !(await keeps(begins)) || !(await keeps(looks))) return false;
      await begins.query('rollback');
    }
  return true;
}

/** Throws StartProblem where a requested time limit is missing or shorter, or instants are not shown in UTC. */
async function refuseLostSettings(client: pg.Client, limits: Record<string, number>): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; role: string }>(
    'select name, setting, current_user as role from pg_settings where name = any ($1)',
    [[...Object.keys(limits), 'TimeZone']],
  );
  const role = rows[0]?.role ?? '';
  const wrong = rows.flatMap((held) => {
    const wanted = held.name === 'TimeZone' ? 'UTC' : limits[held.name];
    const holds =
      typeof wanted === 'number'
        ? wanted === 0 || Number(held.setting) >= wanted
        : held.setting.replace('Etc/', '') === wanted;
    if (holds) return [];
    const value = typeof wanted === 'number' ? `${wanted / 1_000}s` : wanted;
    const shown = typeof wanted === 'number' ? `${Number(held.setting) / 1_000}s` : held.setting;
    return [`${held.name} is ${shown} and not ${value} (alter role ${role} set ${held.name} = '${value}')`];
  });
  if (wrong.length > 0)
    throw new StartProblem(
      `The proxy in front of the database server loses settings of our sessions: ${wrong.join('; ')}.`,
    );
}
