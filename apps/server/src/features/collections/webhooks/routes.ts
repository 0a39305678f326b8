import type { FastifyInstance } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { HttpRefusal } from '#http/errors.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import { keepNotification } from './handle-notifications.ts';

export interface WebhookDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  directDebit: DirectDebit;
  /**
   * Handles stored notifications soon, without making the provider wait; queued again for a repeated notification, as
   * its job may be lost.
   */
  enqueue: Pick<Enqueue, 'handleNotifications'>;
}

/** A Zepto notification may cover many payments, and is not sent again if it is refused. */
const bodyLimit = 1024 * 1024;

const forged = () => new HttpRefusal('not-allowed', 'The signature does not fit.', 401);

/** Verifies, stores and answers raw provider reports before acting. */
export function webhookRoutes({ app }: { app: FastifyInstance }, deps: WebhookDeps): void {
  const { db, clock, bankLink, directDebit, enqueue } = deps;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));

    scope.post<{ Body: string }>('/webhooks/basiq', async (request, reply) => {
      const now = clock.now();
      const notification = bankLink.parseNotification(request.body ?? '', headersOf(request.headers), now);
      if (!notification) throw forged();
      await keepNotification(db, 'basiq', notification.id, notification, now);
      await enqueue.handleNotifications('basiq');
      return reply.status(204).send();
    });

    scope.post<{ Body: string }>('/webhooks/zepto', async (request, reply) => {
      const now = clock.now();
      const notification = directDebit.parseNotification(request.body ?? '', headersOf(request.headers), now);
      if (!notification) throw forged();
      const { id, signedHash, ...body } = notification;
      await keepNotification(db, 'zepto', id, body, now, signedHash);
      await enqueue.handleNotifications('zepto');
      return reply.status(204).send();
    });
  });
}

const headersOf = (headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
