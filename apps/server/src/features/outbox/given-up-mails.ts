import type { Db, Pool } from '#db/connect.ts';
import { addressBounced, type Recipient } from './outbox-repository.ts';

export interface GivenUpMail {
  id: number;
  recipient: Recipient;
  supporterId: string | null;
  /** The kind of its facts. */
  about: string;
  givenUpAt: Date;
  attempts: number;
  failure: string | null;
  /** Its address refused a mail, and rests. */
  isBounced: boolean;
}

/** Lists mails given up since then that were tried or whose address bounced, the newest first. */
export const listGivenUp = (db: Db, since: Date, limit: number): Promise<GivenUpMail[]> =>
  db<GivenUpMail[]>`
    select id, recipient, supporter_id as "supporterId", facts ->> 'kind' as about, given_up_at as "givenUpAt", attempts, failure,
      exists (select from mail_bounces bounce where bounce.supporter_id = mails.supporter_id) as "isBounced"
    from mails where given_up_at >= ${since} and (attempts > 0 or failure = ${addressBounced})
    order by given_up_at desc, id desc limit ${limit}`;

/**
 * Queues given-up mails again, their addresses' rest ended; returns how many. The same mail is composed anew, so one that is
 * outdated by now is given up again.
 */
export const retryGivenUp = (pool: Pool, ids: number[], now: Date): Promise<number> =>
  pool.begin(async (tx) => {
    const retried = await tx<{ supporterId: string | null }[]>`
      update mails set given_up_at = null, failure = null, attempts = 0, due_at = ${now}
      where id = any(${ids}::bigint[]) and given_up_at is not null and sent_at is null returning supporter_id as "supporterId"`;
    const supporters = retried.flatMap(({ supporterId }) => supporterId ?? []);
    await tx`delete from mail_bounces where supporter_id = any(${supporters}::uuid[])`;
    return retried.length;
  });
