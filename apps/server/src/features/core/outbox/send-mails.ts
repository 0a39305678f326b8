import { breakerState } from '@sparechange/domain/circuit-breaker';
import { pauseAfter, retryPlans } from '@sparechange/domain/retry-plan';
import type { Pool } from '#db/connect.ts';
import { controlAndBuckets } from '#db/in-each-bucket.ts';
import { endMailOutage, findMailOutage, recordMailOutage } from '#features/core/breakers/provider-breakers.ts';
import type { Clock } from '#ports/clock.ts';
import { type AttemptDeps, attemptMail } from './attempt-mail.ts';
import { Flight } from './flight.ts';
import { claimMails, giveBack, type MailClaim, noteAllBegun, noteAttempt, type Outcomes } from './mail-claim.ts';
import { isUnavailable, type MailServerState } from './mail-server-state.ts';
import type { TakingOrder } from './outbox-repository.ts';

export interface OutboxDeps extends AttemptDeps {
  db: Pool;
  clock: Clock;
}

export interface SentMails {
  sent: number;
  givenUp: number;
  /** Still to be sent, after a pause. */
  waiting: number;
}

/** Emails that one process has in flight, each on a connection; few servers accept more than twenty from one sender. */
const inFlight = 10;
/** Emails that are taken, composed and recorded together. */
const maxClaimed = 50;
/** Age of a claim from which its emails are not begun: what they say is composed again. A claim lapses much later. */
const maxAgeMs = 60_000;

/**
 * Sends due emails, each once, several concurrently and alongside other processes, until none is due or `signal`
 * aborts. While some are sent, the next are taken and composed. While the mail server is unavailable, the first emails of
 * each minute test it, longest due first. A failure ends an outbox's turns once there are as many as emails in flight,
 * and is thrown at the end.
 */
export async function sendMails(deps: OutboxDeps, signal?: AbortSignal): Promise<SentMails> {
  const { db, clock } = deps;
  const report: SentMails = { sent: 0, givenUp: 0, waiting: 0 };
  const outage = await findMailOutage(db);
  const state = outage ? breakerState({ openUntil: outage.askAgainAt }, clock.now()) : 'closed';
  if (state === 'open') return report;
  const server: MailServerState = {
    hasAnswered: false,
    isSilent: false,
    isDoubted: state === 'half_open',
    unavailable: 0,
    failure: '',
  };
  const failures: unknown[] = [];
  const failuresOf = new Map<Pool, number>();
  const outcomes: Outcomes = {
    report,
    failed: (outbox, error) => {
      failures.push(error);
      failuresOf.set(outbox, (failuresOf.get(outbox) ?? 0) + 1);
    },
  };
  const outboxes = controlAndBuckets(db);
  /** Emails that are begun in any case: they test a server that was unavailable. */
  const tests = server.isDoubted ? inFlight : 0;
  const isOver = () => signal?.aborted === true || (isUnavailable(server) && flight.begun >= tests);
  const flight = new Flight(inFlight, isOver);
  signal?.addEventListener('abort', flight.lookAgain, { once: true });
  // A single outbox already takes its urgent emails first.
  const orders: TakingOrder[] = outboxes.length > 1 ? ['urgent alone', 'urgent first'] : ['urgent first'];
  for (const order of orders) {
    const open = new Set(outboxes);
    /** Takes the next emails of the outboxes in turn. */
    const claimNext = async (): Promise<MailClaim | undefined> => {
      while (!isOver()) {
        const outbox = nextOf(open);
        if (!outbox) return undefined;
        const { isDoubted } = server;
        const claiming = claimMails(
          deps,
          outbox,
          outcomes,
          isDoubted ? 'by age' : order,
          isDoubted ? Math.ceil(inFlight / outboxes.length) : maxClaimed,
        );
        const claim = await claiming.catch((error) => outcomes.failed(outbox, error));
        if (!claim || claim.isLast) open.delete(outbox);
        if (claim) return claim;
      }
      return undefined;
    };
    let former: MailClaim | undefined;
    let next = claimNext();
    for (let claim = await next; claim; claim = await next) {
      next = claimNext();
      await former?.recording; // a crash may repeat emails of one claim, and those in flight
      const isGivenBack = await sendClaim(deps, server, claim, flight, outcomes);
      former = claim;
      if (isGivenBack && !isOver()) {
        open.add(claim.outbox);
        next = next.then((found) => found ?? claimNext());
      }
      if ((failuresOf.get(claim.outbox) ?? 0) >= inFlight) open.delete(claim.outbox);
    }
    await flight.end();
  }

  signal?.removeEventListener('abort', flight.lookAgain);
  await noteOutage(deps, server, outage !== undefined);
  if (failures.length > 0) throw failures[0];
  return report;
}

/** Starts, extends or ends an outage of the mail server, as a round has shown. */
async function noteOutage({ db, clock }: OutboxDeps, server: MailServerState, wasAway: boolean): Promise<void> {
  const now = clock.now();
  const { failure, hasAnswered, isSilent } = server;
  if (isUnavailable(server) || (isSilent && !hasAnswered)) {
    await recordMailOutage(db, {
      since: now,
      askAgainAt: new Date(now.getTime() + pauseAfter(retryPlans.mailServer, 1)),
      failure,
    });
  } else if (wasAway && hasAnswered) await endMailOutage(db);
}

/** Returns the first outbox and moves it to the end. */
function nextOf(outboxes: Set<Pool>): Pool | undefined {
  const [first] = outboxes;
  if (first && outboxes.delete(first)) outboxes.add(first);
  return first;
}

/** Begins to send all emails of a claim. Gives back those left where all is over, or the claim is too old; returns whether it did. */
async function sendClaim(
  deps: OutboxDeps,
  server: MailServerState,
  claim: MailClaim,
  flight: Flight,
  outcomes: Outcomes,
): Promise<boolean> {
  const { letters, takenAt, composedAtMs } = claim;
  let isGivenBack = false;
  for (const [at, { mail, letter }] of letters.entries()) {
    if (!(await flight.hasRoom()) || performance.now() - composedAtMs > maxAgeMs) {
      await giveBack(claim, letters.slice(at), outcomes);
      isGivenBack = true;
      break;
    }
    flight.begin(attemptMail(deps, server, mail, letter, takenAt), (attempt) =>
      noteAttempt(claim, mail, attempt, outcomes),
    );
  }
  flight.waitFor(noteAllBegun(claim, outcomes));
  return isGivenBack;
}
