import type { FastifyInstance } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { HttpRefusal } from '#http/errors.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import type { Notifier, Notifiers } from '#ports/notifier.ts';
import { keepNotification } from './handle-notifications.ts';

export interface WebhookDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  directDebit: DirectDebit;
  notifiers: Notifiers;
  /**
   * Handles stored notifications soon, without making the provider wait; queued again for a repeated notification, as
   * its job may be lost.
   */
  enqueue: Pick<Enqueue, 'handleNotifications'>;
}

/** A notification may cover many payments, and is not sent again if it is refused. */
const bodyLimit = 1024 * 1024;

const forged = () => new HttpRefusal('not-allowed', 'The signature does not fit.', 401);

/** Verifies, stores and answers raw provider reports before acting. */
export function webhookRoutes({ app }: { app: FastifyInstance }, deps: WebhookDeps): void {
  const { db, clock, notifiers, enqueue } = deps;
  const read = readersOf(deps);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));

    for (const [provider, { reports }] of Object.entries(notifiers))
      scope.post<{ Body: string }>(`/webhooks/${provider}`, async (request, reply) => {
        const now = clock.now();
        const notification = read[reports](request.body ?? '', headersOf(request.headers), now);
        if (!notification) throw forged();
        const { id, body, signedHash } = notification;
        await keepNotification(db, provider, id, body, now, signedHash);
        await enqueue.handleNotifications(provider);
        return reply.status(204).send();
      });
  });
}

interface Verified {
  id: string;
  /** As it is stored. */
  body: object;
  signedHash?: string | undefined;
}

type Reader = (rawBody: string, headers: Record<string, string | undefined>, now: Date) => Verified | undefined;

/** Returns what verifies and reads a webhook, by what its provider reports. */
const readersOf = ({ bankLink, directDebit }: WebhookDeps): Record<Notifier['reports'], Reader> => ({
  'bank data': (...webhook) => {
    const notification = bankLink.parseNotification(...webhook);
    return notification && { id: notification.id, body: notification };
  },
  payments: (...webhook) => {
    const { id, signedHash, ...body } = directDebit.parseNotification(...webhook) ?? {};
    return id === undefined ? undefined : { id, signedHash, body };
  },
});

const headersOf = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
