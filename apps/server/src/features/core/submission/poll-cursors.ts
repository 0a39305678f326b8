import type { Db } from '#db/connect.ts';

/** Days of changes that a poll reads again: an outcome may arrive late, or its booking may have failed. */
const rereadMs = 3 * 86_400_000;

export interface PollCursors {
  /** Instant up to which outcomes were read; before the first poll, an instant from which all are read. */
  readUntil: Date;
  /** Instant from which the next full poll reads; earlier changes are no longer read. */
  readAgainFrom: Date;
}

export async function findPollCursors(db: Db): Promise<PollCursors> {
  const cursors = await db<{ name: string; at: Date }[]>`select name, read_until as at from poll_cursors`;
  const atOf = (name: string) => cursors.find((cursor) => cursor.name === name)?.at.getTime();
  const readUntil = atOf('outcomes') ?? rereadMs;
  const rereadUntil = Math.min(readUntil, atOf('outcomes read again') ?? readUntil);
  return { readUntil: new Date(readUntil), readAgainFrom: new Date(rereadUntil - rereadMs) };
}
