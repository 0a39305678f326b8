import { breakerState } from '@sparechange/domain/circuit-breaker';
import { afterFailedTry, pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';
import type { Logger } from 'pino';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { endMailOutage, findMailOutage, recordMailOutage } from '#features/core/breakers/provider-breakers.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type Mail, MailDeferred, type Mailer, MailRefused } from '#ports/mailer.ts';
import { mailIdOf } from './mail-id.ts';
import {
  type Attempt,
  addressBounced,
  recordAttempt,
  recordBounce,
  type TakenMail,
  type TakingOrder,
  takeMail,
} from './outbox-repository.ts';

/** Composes an email from its facts, or explains why there is nothing to send any more, or not yet. */
export type Composed = Mail | { outdated: string } | { waitsFor: string };
export type Composer = (mail: TakenMail, now: Date) => Promise<Composed>;

export interface OutboxDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  compose: Composer;
}

export interface SentMails {
  sent: number;
  givenUp: number;
  /** Still to be sent, after a pause. */
  waiting: number;
}

/**
 * Emails that one process has in flight. Each opens a connection; few servers accept more than twenty from one sender.
 */
const inFlight = 10;
/** Consecutive attempts without a server after which no more emails are taken; a single one may be an accident. */
const unavailableInARow = 3;

/**
 * Sends due emails, each once, several concurrently and alongside other processes, until none is due or `signal`
 * aborts. While the mail server is unavailable, the first emails of each minute test it, longest due first. A failed
 * attempt ends one sender's turns at its outbox, and is thrown at the end.
 */
export async function sendMails(deps: OutboxDeps, signal?: AbortSignal): Promise<SentMails> {
  const { db, clock } = deps;
  const report: SentMails = { sent: 0, givenUp: 0, waiting: 0 };
  const outage = await findMailOutage(db);
  const state = outage ? breakerState({ openUntil: outage.askAgainAt }, clock.now()) : 'closed';
  if (state === 'open') return report;
  const server: MailServer = {
    hasAnswered: false,
    isSilent: false,
    isDoubted: state === 'half_open',
    unavailable: 0,
    failure: '',
  };
  const outboxes = controlAndBuckets(db);
  const failures: unknown[] = [];
  // A single outbox already takes its urgent emails first.
  const orders: TakingOrder[] = outboxes.length > 1 ? ['urgent alone', 'urgent first'] : ['urgent first'];
  for (const order of orders) {
    const senders: Promise<void>[] = [];
    /** Starts all other senders once a first email is taken, so that an empty outbox is queried once. */
    const beginAll = () => {
      while (senders.length < inFlight) senders.push(sendInTurn());
    };
    const sendInTurn = async () => {
      const open = new Set(outboxes);
      while (!signal?.aborted && !isUnavailable(server)) {
        const outbox = nextOf(open);
        if (!outbox) return;
        const became = await sendNext({ ...deps, db: outbox }, server, order, beginAll).catch(
          (error) => void failures.push(error),
        );
        if (became) report[became] += 1;
        else open.delete(outbox);
      }
    };
    senders.push(sendInTurn());
    for (const sender of senders) await sender; // more are added during the loop
  }

  const now = clock.now();
  const { failure, hasAnswered, isSilent } = server;
  if (isUnavailable(server) || (isSilent && !hasAnswered)) {
    await recordMailOutage(db, {
      since: now,
      askAgainAt: new Date(now.getTime() + pauseAfter(retryPlans.mailServer, 1)),
      failure,
    });
  } else if (outage && hasAnswered) await endMailOutage(db);
  if (failures.length > 0) throw failures[0];
  return report;
}

/** Returns the first outbox and moves it to the end. */
function nextOf(outboxes: Set<Pool>): Pool | undefined {
  const [first] = outboxes;
  if (first && outboxes.delete(first)) outboxes.add(first);
  return first;
}

/** State of the mail server during a round. */
interface MailServer {
  hasAnswered: boolean;
  /** True once an attempt got no answer about its email. */
  isSilent: boolean;
  /** True after an earlier outage until the server answers. */
  isDoubted: boolean;
  /** Consecutive attempts that found no server, or one that refused the email. */
  unavailable: number;
  failure: string;
}

const isUnavailable = ({ isDoubted, unavailable }: MailServer): boolean =>
  unavailable >= (isDoubted ? 1 : unavailableInARow);

/** Sends the next due email of an outbox; returns undefined if there is none. */
async function sendNext(
  deps: OutboxDeps,
  server: MailServer,
  order: TakingOrder,
  onTaken: () => void,
): Promise<keyof SentMails | undefined> {
  const { db, clock } = deps;
  const now = clock.now();
  const mail = await takeMail(db, now, server.isDoubted ? 'by age' : order);
  if (!mail) return undefined;
  onTaken();
  const attempt = await attemptOf(deps, server, mail, now);
  const { refusedBy, failure = '' } = attempt;
  if (refusedBy && mail.supporterId) await recordBounce(db, mail.supporterId, refusedBy, now, failure);
  await recordAttempt(db, mail, attempt);
  if (attempt.sentAt) return 'sent';
  return attempt.givenUpAt ? 'givenUp' : 'waiting';
}

async function attemptOf(deps: OutboxDeps, server: MailServer, mail: TakenMail, now: Date): Promise<Attempt> {
  let composed: Composed;
  try {
    composed = mail.isBouncing ? { outdated: addressBounced } : await deps.compose(mail, now);
  } catch (err) {
    deps.log.error({ err, mail: mail.id }, 'a mail could not be composed');
    return afterFailure(mail, now, 'the mail could not be composed');
  }
  if ('outdated' in composed) return { givenUpAt: now, failure: composed.outdated, isUntried: true };
  if ('waitsFor' in composed)
    return {
      dueAt: new Date(now.getTime() + pauseAfter(retryPlans.waitingMail, 1)),
      failure: composed.waitsFor,
      isUntried: true,
    };
  try {
    await deps.mailer.send({ id: mailIdOf(mail), ...composed });
    noteAnswer(server);
    return { sentAt: now };
  } catch (error) {
    if (error instanceof ProviderRefused) {
      noteAnswer(server);
      return { givenUpAt: now, failure: error.reason, refusedBy: composed.to };
    }
    if (!(error instanceof ProviderUnavailable)) {
      deps.log.error({ err: error, mail: mail.id }, 'a mail could not be sent');
      return afterFailure(mail, now, 'the mail could not be sent');
    }
    if (error instanceof MailDeferred) noteAnswer(server);
    else {
      server.unavailable += 1;
      server.isSilent ||= !(error instanceof MailRefused);
      server.failure = error.message;
    }
    return afterFailure(mail, now, error.message);
  }
}

function noteAnswer(server: MailServer): void {
  server.hasAnswered = true;
  server.isDoubted = false;
  server.unavailable = 0;
}

function afterFailure({ queuedAt, attempts }: TakenMail, now: Date, failure: string): Attempt {
  const next = afterFailedTry(retryPlans.mail, { tries: attempts, failingSince: queuedAt }, now);
  return next.parkedAt ? { givenUpAt: next.parkedAt, failure } : { dueAt: next.nextTryAt, failure };
}
