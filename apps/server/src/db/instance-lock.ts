import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { EmbeddedDatabase } from './embedded.ts';

/** Held by the server that runs on a data folder, as long as it runs. */
export const instanceLock = 'sparechange instance';

const retryMs = 1_000;
/** Time for which an ending process waits for PostgreSQL to start; after that, PostgreSQL ends on its own later. */
const maxReleaseMs = 3_000;

/**
 * Keeps a second Sparechange off one data folder, and the folder's PostgreSQL running: the lock is a session of the
 * database, so it ends with either process, and PostgreSQL is started again when it ends before us. Returns undefined when
 * another process has the lock.
 */
export async function lockInstance(
  database: Pick<EmbeddedDatabase, 'url' | 'restart'>,
  log: Logger,
): Promise<{ release(): Promise<void> } | undefined> {
  let isReleased = false;

  async function takeLock(): Promise<pg.Client | undefined> {
    const client = new pg.Client({ connectionString: database.url, application_name: instanceLock });
    client.on('error', (err) => log.error({ err }, 'PostgreSQL ended'));
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(hashtext('${instanceLock}')) as held`,
    );
    if (rows[0]?.held) return client;
    await client.end();
    return undefined;
  }

  /** Restarts PostgreSQL and retakes the lock, trying until it succeeds. */
  async function recover(): Promise<void> {
    while (!isReleased) {
      try {
        await database.restart();
        session = await takeLock();
        if (session) {
          log.warn('PostgreSQL runs again');
          watch(session);
          return;
        }
        log.error('another Sparechange has taken the data folder; end one of them');
      } catch (err) {
        log.error({ err }, 'PostgreSQL could not be started again; trying on');
      }
      await setTimeout(retryMs);
    }
  }

  let recovery: Promise<void> | undefined;
  const watch = (client: pg.Client) =>
    client.once('end', () => {
      if (!isReleased) recovery = recover();
    });
  let session = await takeLock();
  if (!session) return undefined;
  watch(session);
  return {
    release: async () => {
      isReleased = true;
      await Promise.race([recovery, setTimeout(recovery ? maxReleaseMs : 0)]);
      await session?.end();
    },
  };
}
