import type { Pool } from './connect.ts';
import type { Listening } from './listener.ts';

const channel = 'command_ended';

/**
 * Tells every worker that an operator's command has ended, so that its queued work need not wait for their next minute.
 */
export async function announceEnd(db: Pool): Promise<void> {
  await db`select pg_notify(${channel}, '')`;
}

/** Calls back whenever a command has ended, and once listening begins again after an interruption. */
export const followCommands = (db: Pool, onEnd: () => void): Promise<Listening> => db.listen(channel, onEnd, onEnd);
