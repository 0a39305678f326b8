import * as contract from '@sparechange/contract/console';
import { maxCounted } from '@sparechange/domain/counted';
import type { Pool } from '#db/connect.ts';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { Conflict, NotFound } from '#errors.ts';
import { findMailOutage } from '#features/core/breakers/provider-breakers.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import { findMail, sendMailAgain } from '#features/core/outbox/given-up-mails.ts';
import { cursorOf, type ListedMail, listMails } from '#features/core/outbox/list-mails.ts';
import { countBounces, listMailStates } from '#features/core/outbox/outbox-repository.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Enqueue } from '#ports/enqueue.ts';

export interface MailDeps {
  db: Pool;
  clock: Clock;
  enqueue: Enqueue;
  /** Composes an email as it is sent. */
  composeMail: Composer;
  /** Absent where another service emails links to reset a password, of which nothing is known here. */
  mailReset?: unknown;
}

const listedMs = 30 * 86_400_000;

const present = ({ place: _, ...mail }: ListedMail) => ({
  ...mail,
  queuedAt: mail.queuedAt.toISOString(),
  endedAt: mail.endedAt?.toISOString() ?? null,
});

/** Hides the targets of links: some of them let their holder sign in or confirm something. */
const withoutLinks = (text: string): string => text.replaceAll(/https?:\/\/\S+/g, '[link]');

export function mailRoutes(serve: ServeConsole, { db, clock, enqueue, composeMail, mailReset }: MailDeps): void {
  const since = () => new Date(clock.now().getTime() - listedMs);

  serve.person(contract.listMails, ({ limit, ...filter }) =>
    listFromAnswering(db, async (answering) => {
      const mails = await listMails(answering, { ...filter, limit: limit + 1, since: since() });
      const { rows, next } = pageOf(mails, limit, cursorOf);
      return { rows: rows.map(present), next };
    }),
  );

  serve.person(contract.previewMail, async ({ mailId }, _caller, { request }) => {
    const mail = await findMail(db, mailId);
    if (!mail) throw new NotFound('The mail');
    const composed = await composeMail(mail, clock.now()).catch((err) => {
      request.log.warn({ err, mail: mailId }, 'a mail could not be composed');
      return { outdated: 'it could not be composed' };
    });
    if ('outdated' in composed) return { subject: null, text: null, whyNone: composed.outdated };
    if ('waitsFor' in composed) return { subject: null, text: null, whyNone: composed.waitsFor };
    return { subject: composed.subject, text: withoutLinks(composed.text), whyNone: null };
  });

  serve.person(contract.sendMailAgain, async ({ mailId }) => {
    if (!(await findMail(db, mailId))) throw new NotFound('The mail');
    if (!(await sendMailAgain(db, mailId, today(clock), clock.now())))
      throw new Conflict('It is already waiting, or was sent again today.');
    await enqueue.sendMails();
    return {};
  });

  serve.person(contract.retrieveMailState, async () => {
    const [outage, states, bounced] = await Promise.all([
      findMailOutage(db),
      listMailStates(db, since()),
      countBounces(db, since()),
    ]);
    const sumOf = (count: 'waiting' | 'undelivered') =>
      states.reduce((sum, state) => Math.min(sum + state[count], maxCounted), 0);
    return {
      outage: outage
        ? { ...outage, since: outage.since.toISOString(), askAgainAt: outage.askAgainAt.toISOString() }
        : null,
      waiting: sumOf('waiting'),
      undelivered: sumOf('undelivered'),
      bounced,
      listsSignInMails: mailReset !== undefined,
    };
  });
}
