import { afterFailedTry, pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';
import type { Logger } from 'pino';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type Mail, MailDeferred, type Mailer, MailRefused } from '#ports/mailer.ts';
import { mailIdOf } from './mail-id.ts';
import { type MailServerState, noteAnswer, noteUnavailable } from './mail-server-state.ts';
import { type Attempt, addressBounced, type TakenMail } from './outbox-repository.ts';

/** Composes an email from its facts, or explains why there is nothing to send any more, or not yet. */
export type Composed = Mail | { outdated: string } | { waitsFor: string };
export type Composer = (mail: TakenMail, now: Date) => Promise<Composed>;

export interface AttemptDeps {
  log: Logger;
  mailer: Mailer;
  compose: Composer;
}

/** An email to be sent. */
export interface Letter {
  mail: TakenMail;
  letter: Mail;
}

/** An email to be sent, or what became of one that is not. */
export type Prepared = Letter | { mail: TakenMail; attempt: Attempt };

/** Composes an email. */
export async function prepareMail(deps: AttemptDeps, mail: TakenMail, now: Date): Promise<Prepared> {
  let composed: Composed;
  try {
    composed = mail.isBouncing ? { outdated: addressBounced } : await deps.compose(mail, now);
  } catch (err) {
    deps.log.error({ err, mail: mail.id }, 'a mail could not be composed');
    return { mail, attempt: afterFailure(mail, now, 'the mail could not be composed') };
  }
  if ('outdated' in composed) return { mail, attempt: { givenUpAt: now, failure: composed.outdated, isUntried: true } };
  if ('waitsFor' in composed) {
    const dueAt = new Date(now.getTime() + pauseAfter(retryPlans.waitingMail, 1));
    return { mail, attempt: { dueAt, failure: composed.waitsFor, isUntried: true } };
  }
  return { mail, letter: { id: mailIdOf(mail), ...composed } };
}

/** Sends a composed email. */
export async function attemptMail(
  deps: AttemptDeps,
  server: MailServerState,
  mail: TakenMail,
  letter: Mail,
  now: Date,
): Promise<Attempt> {
  try {
    await deps.mailer.send(letter);
    noteAnswer(server);
    return { sentAt: now };
  } catch (error) {
    if (error instanceof ProviderRefused) {
      noteAnswer(server);
      return { givenUpAt: now, failure: error.reason, refusedBy: letter.to };
    }
    if (!(error instanceof ProviderUnavailable)) {
      deps.log.error({ err: error, mail: mail.id }, 'a mail could not be sent');
      return afterFailure(mail, now, 'the mail could not be sent');
    }
    if (error instanceof MailDeferred) noteAnswer(server);
    else noteUnavailable(server, error.message, !(error instanceof MailRefused));
    return afterFailure(mail, now, error.message);
  }
}

function afterFailure({ queuedAt, attempts }: TakenMail, now: Date, failure: string): Attempt {
  const next = afterFailedTry(retryPlans.mail, { tries: attempts, failingSince: queuedAt }, now);
  return next.parkedAt ? { givenUpAt: next.parkedAt, failure } : { dueAt: next.nextTryAt, failure };
}
