import type { Pool } from './connect.ts';
import type { DatabaseServer } from './servers.ts';

interface CutOptions {
  log: { error(fields: object, message: string): void; info(fields: object, message: string): void };
  everyMs?: number;
  withinMs?: number;
}

/** Failures in a row after which a server is silent. */
const maxFailures = 3;

/**
 * Asks each further server over a connection of its own, and gives up one that has become silent, as a machine that hangs
 * does, until it answers: its statements fail as those of a server that is down, and passes go on with other buckets.
 * Returns what ends it (docs/decisions/0151-silent-servers.md).
 */
export function cutSilentServers(db: Pool, { log, everyMs = 10_000, withinMs = 10_000 }: CutOptions): () => void {
  const [, ...further] = db.servers.all;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;
  const watch = ({ name, connections }: DatabaseServer, failures = 0) => {
    const ask = async () => {
      const failed = (await connections.answers(withinMs)) ? 0 : failures + 1;
      if (isStopped) return;
      if (failed === maxFailures)
        log.error({ server: name }, 'a database server is silent: its connections are closed');
      if (failed >= maxFailures) connections.silence();
      if (failed === 0 && failures >= maxFailures) log.info({ server: name }, 'a database server answers again');
      watch({ name, connections }, failed);
    };
    timers.set(name, setTimeout(() => void ask(), everyMs).unref());
  };
  for (const server of further) watch(server);
  return () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
