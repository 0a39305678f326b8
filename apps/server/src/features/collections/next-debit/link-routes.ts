import * as contract from '@sparechange/contract';
import { runThatDebits } from '@sparechange/domain/skipped-debit';
import type { FastifyInstance } from 'fastify';
import type { Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { DebitLinks } from '#secrets/signed-links.ts';
import { setDebitNotices } from './settings.ts';
import { skipDebit } from './skip-debit.ts';

export interface LinkDeps {
  db: Pool;
  clock: Clock;
  debitLinks: DebitLinks;
}

/** Serves emailed links; only a pressed button changes anything. */
export function debitLinkRoutes(
  { app, serve }: { app: FastifyInstance; serve: Serve },
  { db, clock, debitLinks }: LinkDeps,
): void {
  const setByLink = async (token: string, debitNotices: contract.DebitNotices) => {
    const supporterId = debitLinks.readStop(token);
    if (!supporterId) throw new NotFound('The link');
    await setDebitNotices(db.of(supporterId), clock, { supporterId, debitNotices, actor: 'mailed link' });
  };

  serve.open(contract.skipDebitByLink, async ({ token, isSkipped }) => {
    const debit = debitLinks.readSkip(token);
    if (!debit) throw new NotFound('The link');
    const bucket = db.of(debit.supporterId);
    await getSupporter(bucket, debit.supporterId);
    const outcome = await skipDebit(bucket, clock, { ...debit, isSkipped, actor: 'mailed link' });
    if (outcome === 'too late') throw new Conflict('That debit can no longer be changed.');
    return { run: debit.run, isSkipped, date: runThatDebits(debit.run, isSkipped) };
  });

  serve.open(contract.setDebitNoticesByLink, async ({ token, debitNotices }) => {
    await setByLink(token, debitNotices);
    return {};
  });

  // One-click unsubscribing (RFC 8058): mail clients post a form, of which only the address matters.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null));
    scope.post<{ Params: { token: string } }>('/debit-mails/:token', async (request, reply) => {
      await setByLink(request.params.token, 'never');
      return reply.header('cache-control', 'no-store').status(204).send();
    });
  });
}
