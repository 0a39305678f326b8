import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Pool } from '#db/connect.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { type Mail, MailDeferred, type Mailer } from '#ports/mailer.ts';
import { endMailOutage, findMailOutage, recordMailOutage } from './mail-outages.ts';
import {
  type Attempt,
  type Recipient,
  recordAttempt,
  recordBounce,
  type TakenMail,
  takeMail,
} from './outbox-repository.ts';

/** Makes the mail of some facts, or says why there is nothing to send any more. */
export type Composer = (mail: TakenMail, now: Date) => Promise<Mail | { outdated: string }>;

export interface OutboxDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  /** By recipient; mails of a recipient left out wait. */
  composers: Partial<Record<Recipient, Composer>>;
}

export interface SentMails {
  sent: number;
  givenUp: number;
  /** Still to be sent, after a pause. */
  waiting: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Mails in flight of one program. Each opens a connection; few servers take more than twenty of one sender. */
const inFlight = 10;
/** Age at which a mail that fails is given up. */
const oldestMs = 7 * 24 * hourMs;
/** Attempts in a row that find no server before none is taken any more; a single one may be an accident. */
const unavailableInARow = 3;
const outageMs = minuteMs;

/** Returns the pause of a mail that failed: as long as it has waited, between a minute and an hour. */
const pauseOf = (ageMs: number): number => Math.min(Math.max(ageMs, minuteMs), hourMs);

/**
 * Sends what is due, each mail once, several at a time and beside any other program. While the mail server is
 * unavailable each minute's first mails ask for it, and no other is taken.
 */
export async function sendMails(deps: OutboxDeps): Promise<SentMails> {
  const { db, clock } = deps;
  const report: SentMails = { sent: 0, givenUp: 0, waiting: 0 };
  const outage = await findMailOutage(db);
  if (outage && outage.askAgainAt > clock.now()) return report;
  const limit = outage ? 1 : unavailableInARow;
  const server: MailServer = { unavailable: 0, failure: '' };
  const sendUntilDone = async () => {
    while (server.unavailable < limit) {
      const became = await sendNext(deps, server);
      if (!became) return;
      report[became] += 1;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: inFlight }, sendUntilDone));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;

  const now = clock.now();
  const askAgainAt = new Date(now.getTime() + outageMs);
  if (outage && report.sent > 0) await endMailOutage(db);
  if (server.unavailable > 0) await recordMailOutage(db, { since: now, askAgainAt, failure: server.failure });
  return report;
}

interface MailServer {
  /** Attempts in a row that found no server. */
  unavailable: number;
  failure: string;
}

/** Sends the next due mail; answers undefined if there is none. */
async function sendNext(deps: OutboxDeps, server: MailServer): Promise<keyof SentMails | undefined> {
  const now = deps.clock.now();
  const mail = await takeMail(deps.db, Object.keys(deps.composers), now);
  const compose = mail && deps.composers[mail.recipient];
  if (!compose) return undefined;
  const attempt = await attemptOf(deps, server, mail, compose, now);
  if (attempt.isRefused) await recordBounce(deps.db, mail, attempt);
  await recordAttempt(deps.db, mail, attempt);
  if (attempt.sentAt) return 'sent';
  return attempt.givenUpAt ? 'givenUp' : 'waiting';
}

async function attemptOf(
  { log, mailer }: OutboxDeps,
  server: MailServer,
  mail: TakenMail,
  compose: Composer,
  now: Date,
): Promise<Attempt> {
  try {
    const composed = mail.isBouncing ? { outdated: 'the address bounced' } : await compose(mail, now);
    if ('outdated' in composed) return { givenUpAt: now, failure: composed.outdated, isOutdated: true };
    await mailer.send({ id: idOf(mail), ...composed });
    server.unavailable = 0;
    return { sentAt: now };
  } catch (error) {
    const isUnavailable = error instanceof ProviderUnavailable && !(error instanceof MailDeferred);
    server.unavailable = isUnavailable ? server.unavailable + 1 : 0;
    if (isUnavailable) server.failure = error.message;
    if (error instanceof ProviderRefused) return { givenUpAt: now, failure: error.reason, isRefused: true };
    const isKnown = error instanceof ProviderUnavailable;
    if (!isKnown) log.error({ err: error, mail: mail.id }, 'a mail could not be composed');
    const failure = isKnown ? error.message : 'the mail could not be composed';
    const ageMs = now.getTime() - mail.queuedAt.getTime();
    return ageMs > oldestMs
      ? { givenUpAt: now, failure }
      : { dueAt: new Date(now.getTime() + pauseOf(ageMs)), failure };
  }
}

/** Returns the Message-ID, equal for every attempt, so that a mail sent again after a crash is known. */
const idOf = ({ recipient, supporterId, key }: TakenMail): string =>
  createHash('sha256')
    .update(`${supporterId ?? recipient} ${key}`)
    .digest('hex')
    .slice(0, 40);
