import type { Db } from '#db/connect.ts';
import { Refusal } from '#errors.ts';
import { defaultLimits, giveBackAttempt, signInBuckets, take } from '#identity/limits.ts';

/** Counts a guess by address and account, as supporters' are, and gives it back where it was none. */
export async function countingGuess<Result>(
  db: Db,
  { ip, about }: { ip: string; about: string },
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const buckets = signInBuckets(defaultLimits, ip, `console ${about}`, false);
  for (const bucket of buckets)
    if (!(await take(db, bucket)))
      throw new Refusal('too-many-requests', 'Too many attempts; please wait some minutes.');
  const result = await attempt();
  if (result !== undefined) await giveBackAttempt(db, buckets);
  return result;
}
