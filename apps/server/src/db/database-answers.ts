import { setTimeout as wait } from 'node:timers/promises';
import { connect } from './connect.ts';

/** Returns whether a database answers a new connection in time. */
export async function databaseAnswers(url: string, withinMs: number): Promise<boolean> {
  const pool = connect(url, { max: 1, name: 'sparechange watch' });
  const answered = pool`select 1`.then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answered, wait(withinMs, false, { ref: false })]);
  await pool.end({ timeout: isThere ? 1 : 0 });
  return isThere;
}
