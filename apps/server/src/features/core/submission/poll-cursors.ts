import type { Db } from '#db/connect.ts';

/** A poll reads what changed in these days again: an outcome may come late, or could not be booked. */
const rereadMs = 3 * 86_400_000;

export interface PollCursors {
  /** Up to when outcomes were read; before the first poll, an instant from which all are. */
  readUntil: Date;
  /** From when the next whole poll reads: what changed before is read no more. */
  readAgainFrom: Date;
}

export async function findPollCursors(db: Db): Promise<PollCursors> {
  const cursors = await db<{ name: string; at: Date }[]>`select name, read_until as at from poll_cursors`;
  const atOf = (name: string) => cursors.find((cursor) => cursor.name === name)?.at.getTime();
  const readUntil = atOf('outcomes') ?? rereadMs;
  const rereadUntil = Math.min(readUntil, atOf('outcomes read again') ?? readUntil);
  return { readUntil: new Date(readUntil), readAgainFrom: new Date(rereadUntil - rereadMs) };
}
