import type { Db, Pool } from '#db/connect.ts';
import { controlAndBuckets, rowsOf } from '#db/in-each-bucket.ts';
import { listJobQueues, type Queue } from './queue-repository.ts';

/** Lists what waits: jobs of each queue, supporters' work, emails, webhooks to be sent and notifications that came. */
export async function listQueues(pool: Pool, now: Date): Promise<Queue[]> {
  const jobs = await listJobQueues(pool, now);
  const work = (db: Db) => db<Queue[]>`
    select 'supporter-work' as name, count(*)::int as waiting, min(next_try_at) as "oldestAt"
    from supporter_work where next_try_at <= ${now}`;
  const mails = (db: Db) => db<Queue[]>`
    select 'outbox' as name, count(*)::int as waiting, min(due_at) as "oldestAt"
    from mails where sent_at is null and given_up_at is null and due_at <= ${now}`;
  const control = await pool<Queue[]>`
    select 'notifications' as name, count(*)::int as waiting, min(received_at) as "oldestAt" from notifications
      where handled_at is null
    union all select 'webhook-deliveries', count(*)::int, min(due_at)
      from webhook_deliveries join webhook_endpoints endpoint on endpoint.id = endpoint_id
      where due_at <= ${now} and paused_at is null and removed_at is null`;
  const divided = [...(await rowsOf(pool.inBuckets(), work)), ...(await rowsOf(controlAndBuckets(pool), mails))];
  return [...sumUp(divided), ...control, ...jobs];
}

/** Adds up the queues that several places have. */
const sumUp = (queues: Queue[]): Queue[] =>
  [...Map.groupBy(queues, ({ name }) => name).values()].map((same) =>
    same.reduce(({ name, waiting, oldestAt }, other) => ({
      name,
      waiting: waiting + other.waiting,
      oldestAt: other.oldestAt && (!oldestAt || other.oldestAt < oldestAt) ? other.oldestAt : oldestAt,
    })),
  );
