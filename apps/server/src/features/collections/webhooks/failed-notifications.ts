import type { Db } from '#db/connect.ts';
import type { Provider } from '#ports/notifier.ts';

export interface FailedNotification {
  provider: Provider;
  /** The provider's own id of it. */
  id: string;
  receivedAt: Date;
  /** Reason why it last failed. */
  failure: string;
}

type Place = Pick<FailedNotification, 'receivedAt' | 'id'>;

/** Records why a notification could not be handled; it stays open and is tried again with the next one. */
export async function recordFailure(
  db: Db,
  { provider, id }: Pick<FailedNotification, 'provider' | 'id'>,
  error: unknown,
) {
  const failure = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await db`
    update notifications set failure = ${failure}
    where provider = ${provider} and id = ${id} and handled_at is null and failure is distinct from ${failure}`;
}

/** Lists notifications that could not be handled and are still open, oldest first. */
export const listFailedNotifications = (db: Db, limit: number, after?: Place): PromiseLike<FailedNotification[]> =>
  db<FailedNotification[]>`
    select provider, id, received_at as "receivedAt", failure from notifications
    where handled_at is null and failure is not null
      ${after ? db`and (received_at, id) > (${after.receivedAt}, ${after.id})` : db``}
    order by received_at, id limit ${limit}`;

/** Stops retries of a failed notification; returns false if there is none. Polls find its content. */
export async function dropFailedNotification(db: Db, at: Date, provider: Provider, id: string): Promise<boolean> {
  const dropped = await db`
    update notifications set handled_at = ${at}
    where provider = ${provider} and id = ${id} and handled_at is null and failure is not null`;
  return dropped.count > 0;
}
