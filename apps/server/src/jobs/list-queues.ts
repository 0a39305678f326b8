import type { Db, Pool } from '#db/connect.ts';
import { countWaiting, type Waiting } from '#db/due-work.ts';
import { controlAndBuckets, rowsOf } from '#db/in-each-bucket.ts';
import { dueMails } from '#features/core/outbox/outbox-repository.ts';
import { dueWork } from '#features/core/supporter-work/work-repository.ts';
import { dueDeliveries } from '#features/disbursements/outgoing-webhooks/delivery-repository.ts';
import { listJobQueues } from './queue-repository.ts';

/** Lists what waits: jobs of each queue, supporters' work, emails, webhooks to be sent and notifications that came. */
export async function listQueues(pool: Pool, now: Date): Promise<Waiting[]> {
  const jobs = await listJobQueues(pool, now);
  const work = (db: Db) => db<Waiting[]>`
    ${countWaiting(db, dueWork, 'supporter-work')} from supporter_work where next_try_at <= ${now}`;
  const mails = (db: Db) => db<Waiting[]>`
    ${countWaiting(db, dueMails, 'outbox')} from mails where sent_at is null and given_up_at is null and due_at <= ${now}`;
  const control = await pool<Waiting[]>`
    ${countWaiting(pool, { dueAt: 'received_at' }, 'notifications')} from notifications where handled_at is null
    union all ${countWaiting(pool, dueDeliveries, 'webhook-deliveries')} from webhook_deliveries join webhook_endpoints endpoint on endpoint.id = endpoint_id
      where due_at <= ${now} and paused_at is null and removed_at is null`;
  const divided = [...(await rowsOf(pool.inBuckets(), work)), ...(await rowsOf(controlAndBuckets(pool), mails))];
  return [...sumUp(divided), ...control, ...jobs];
}

/** Adds up the queues that several places have. */
const sumUp = (queues: Waiting[]): Waiting[] =>
  [...Map.groupBy(queues, ({ name }) => name).values()].map((same) =>
    same.reduce(({ name, waiting, oldestAt }, other) => ({
      name,
      waiting: waiting + other.waiting,
      oldestAt: other.oldestAt && (!oldestAt || other.oldestAt < oldestAt) ? other.oldestAt : oldestAt,
    })),
  );
