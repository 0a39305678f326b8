import type { IsoDate } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { startAgain } from '#db/due-work.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { addressBounced, dueMails, isBounced, type Recipient, type TakenMail } from './outbox-repository.ts';

export interface GivenUpMail {
  /** Unique across all outboxes: with several buckets, it begins with the number of the outbox, as in `3.17`. */
  id: string;
  recipient: Recipient;
  supporterId: string | null;
  /** Kind of its facts. */
  about: string;
  givenUpAt: Date;
  attempts: number;
  failure: string | null;
  /** True if the supporter's address has refused an email. */
  isBounced: boolean;
}

/** Lists emails given up since then that were tried or whose address bounced, newest first. */
export async function listGivenUp(pool: Pool, since: Date, limit: number): Promise<GivenUpMail[]> {
  const listIn = (db: Pool, place: number) => db<GivenUpMail[]>`
    select ${place === 0 ? '' : `${place}.`}::text || id as id, recipient, supporter_id as "supporterId", facts ->> 'kind' as about,
      given_up_at as "givenUpAt", attempts, failure, ${isBounced(db)} as "isBounced"
    from mails where given_up_at >= ${since} and (attempts > 0 or failure = ${addressBounced})
    order by given_up_at desc, mails.id desc limit ${limit}`;
  const mails = (await Promise.all(controlAndBuckets(pool).map(listIn))).flat();
  return mails.sort((one, other) => Number(other.givenUpAt) - Number(one.givenUpAt)).slice(0, limit);
}

/**
 * Queues given-up emails again, also to addresses that refused one; returns how many. Each is composed again, so one
 * that no longer applies is given up again.
 */
export async function retryGivenUp(pool: Pool, ids: string[], now: Date): Promise<number> {
  let count = 0;
  for (const [place, theirs] of Map.groupBy(ids.map(placeOf), ({ place }) => place)) {
    const db = controlAndBuckets(pool)[place];
    if (db)
      count += await retryIn(
        db,
        theirs.map(({ id }) => id),
        now,
      );
  }
  return count;
}

/** Reads an id over all outboxes. */
function placeOf(mailId: string): { place: number; id: string } {
  const [id = '', place = '0'] = mailId.split('.').reverse();
  return { place: Number(place), id };
}

/** Returns an email for a composer; undefined if none. */
export async function findMail(pool: Pool, mailId: string): Promise<TakenMail | undefined> {
  const { place, id } = placeOf(mailId);
  const outbox = controlAndBuckets(pool)[place];
  if (!outbox) return undefined;
  const [mail] = await outbox<TakenMail[]>`
    select id, recipient, supporter_id as "supporterId", key, facts, queued_at as "queuedAt", attempts, due_at as "dueAt",
      due_at as "wasDueAt", false as "isBouncing"
    from mails where id = ${id}`;
  return mail;
}

/**
 * Sends an email again: one given up as `retryGivenUp` does, one already sent as a copy, at most one a day, copies of
 * copies included. Returns false if neither applies.
 */
export async function sendMailAgain(pool: Pool, mailId: string, day: IsoDate, now: Date): Promise<boolean> {
  if ((await retryGivenUp(pool, [mailId], now)) > 0) return true;
  const { place, id } = placeOf(mailId);
  const outbox = controlAndBuckets(pool)[place];
  if (!outbox) return false;
  const copied = await outbox`
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at, is_urgent)
    select recipient, supporter_id, regexp_replace(key, ' again [0-9-]+$', '') || ${` again ${day}`}, facts, ${now}, ${now}, is_urgent
    from mails where id = ${id} and sent_at is not null
    on conflict do nothing returning id`;
  return copied.length > 0;
}

const retryIn = (db: Pool, ids: string[], now: Date): Promise<number> =>
  db.begin(async (tx) => {
    const retried = await tx<{ supporterId: string | null }[]>`
      update mails set ${startAgain(tx, dueMails, now)}
      where id = any(${ids}::bigint[]) and given_up_at is not null and sent_at is null returning supporter_id as "supporterId"`;
    const supporters = retried.flatMap(({ supporterId }) => supporterId ?? []);
    if (supporters.length > 0) await tx`delete from mail_bounces where supporter_id = any(${supporters}::uuid[])`;
    return retried.length;
  });
