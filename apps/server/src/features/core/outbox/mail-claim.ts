import type { Pool } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { type Letter, prepareMail } from './attempt-mail.ts';
import {
  type Attempt,
  giveBackMails,
  recordAttempt,
  recordBounce,
  recordSent,
  type TakenMail,
  type TakingOrder,
  takeMails,
} from './outbox-repository.ts';
import type { OutboxDeps, SentMails } from './send-mails.ts';

/**
 * Emails taken together from one outbox. Those sent are recorded together, which costs a fraction of recording each;
 * after a crash the ones not recorded yet are sent again.
 */
export interface MailClaim {
  outbox: Pool;
  takenAt: Date;
  /** By the machine's monotonic clock. */
  composedAtMs: number;
  letters: Letter[];
  /** True if no more were due. */
  isLast: boolean;
  /** Sent, and not recorded yet. */
  sent: TakenMail[];
  /** True once none is left to be begun. */
  isBegun: boolean;
  recording: Promise<void> | undefined;
}

/** Notes what became of emails, and the failures to record it. */
export interface Outcomes {
  report: SentMails;
  failed(outbox: Pool, error: unknown): void;
}

/**
 * Takes and composes the next emails of an outbox, and records those that are not to be sent; undefined if none is due.
 */
export async function claimMails(
  deps: OutboxDeps,
  outbox: Pool,
  outcomes: Outcomes,
  order: TakingOrder,
  limit: number,
): Promise<MailClaim | undefined> {
  const takenAt = deps.clock.now();
  const mails = await takeMails(outbox, takenAt, order, limit);
  if (mails.length === 0) return undefined;
  const prepared = await Promise.all(mails.map((mail) => prepareMail(deps, mail, takenAt)));
  const letters = prepared.filter((each) => 'letter' in each);
  const unsent = prepared.filter((each) => 'attempt' in each);
  const claim = { outbox, takenAt, composedAtMs: performance.now(), letters, sent: [], isBegun: false };
  const isLast = mails.length < limit;
  await Promise.all(unsent.map(({ mail, attempt }) => recordAlone(outbox, takenAt, mail, attempt, outcomes)));
  return { ...claim, isLast, recording: undefined };
}

/** Records an attempt: one that was sent together with others of its claim. */
export async function noteAttempt(
  claim: MailClaim,
  mail: TakenMail,
  attempt: Attempt,
  outcomes: Outcomes,
): Promise<void> {
  if (!attempt.sentAt) return recordAlone(claim.outbox, claim.takenAt, mail, attempt, outcomes);
  claim.sent.push(mail);
  if (claim.isBegun) await recordAllSent(claim, outcomes);
}

/** Records that a claim has no more emails to begin, and which were sent. */
export async function noteAllBegun(claim: MailClaim, outcomes: Outcomes): Promise<void> {
  claim.isBegun = true;
  await recordAllSent(claim, outcomes);
}

/** Gives back the emails of a claim that were not begun. */
export async function giveBack({ outbox }: MailClaim, rest: Letter[], outcomes: Outcomes): Promise<void> {
  const mails = rest.map(({ mail }) => mail);
  if (mails.length > 0) await giveBackMails(outbox, mails).catch((error) => outcomes.failed(outbox, error));
}

/** Records the emails sent so far, then those sent during that, each time in one statement. */
async function recordAllSent(claim: MailClaim, outcomes: Outcomes): Promise<void> {
  const record = async () => {
    while (claim.sent.length > 0) await recordTogether(claim, claim.sent.splice(0), outcomes);
    claim.recording = undefined;
  };
  if (claim.sent.length > 0) claim.recording ??= record();
  await claim.recording;
}

/** Records sent emails with one statement; if it fails, each alone, so that one does not block the others. */
async function recordTogether(claim: MailClaim, sent: TakenMail[], outcomes: Outcomes): Promise<void> {
  const { outbox, takenAt } = claim;
  try {
    await recordSent(outbox, sent, takenAt);
    outcomes.report.sent += sent.length;
  } catch (error) {
    if (isDatabaseUnavailable(error)) return outcomes.failed(outbox, error);
    for (const mail of sent) await recordAlone(outbox, takenAt, mail, { sentAt: takenAt }, outcomes);
  }
}

async function recordAlone(
  outbox: Pool,
  takenAt: Date,
  mail: TakenMail,
  attempt: Attempt,
  { report, failed }: Outcomes,
): Promise<void> {
  const { refusedBy, failure = '' } = attempt;
  try {
    if (refusedBy && mail.supporterId) await recordBounce(outbox, mail.supporterId, refusedBy, takenAt, failure);
    await recordAttempt(outbox, mail, attempt);
  } catch (error) {
    return failed(outbox, error);
  }
  if (attempt.sentAt) report.sent += 1;
  else report[attempt.givenUpAt ? 'givenUp' : 'waiting'] += 1;
}
