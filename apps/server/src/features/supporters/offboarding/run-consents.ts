import {
  addDays,
  bankDataDeletableFrom,
  daysBetween,
  type IsoDate,
  reminderDays,
  reminderDue,
  sydneyDay,
} from '@sparechange/domain';
import { circuitBreaker } from '@sparechange/domain/circuit-breaker';
import { inTurnOfDay } from '@sparechange/domain/turn-of-day';
import type { Db } from '#db/connect.ts';
import { isDatabaseUnavailable } from '#db/database-answers.ts';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import { listEndedClubs } from '#features/beneficiaries/clubs/campaigns.ts';
import { type OnFailure, type Work, type WorkDeps, workOnEverybody } from '#features/core/supporter-work/do-work.ts';
import { type Pass, supporterPages } from '#features/core/supporter-work/work-repository.ts';
import { type QueuedEmail, queueEmail } from '#features/correspondence/emails/queue-email.ts';
import {
  type EndingConsent,
  listEnding,
  listOverdue,
  listWithBankData,
} from '#features/supporters/consents/consent-repository.ts';
import { endConsent } from '#features/supporters/consents/end-consent.ts';
import { pollConsent } from '#features/supporters/consents/refresh-consent.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { today } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { hasEnded, type Tenants } from '#tenants/load-tenants.ts';
import { cancelMandate, listSupersededMandates, lookedUpDaily } from './cancel-mandates.ts';
import { type DeletionDeps, deleteBankData } from './delete-bank-data.ts';
import { finishOffboarding, listUnfinished } from './finish-offboarding.ts';

export interface ConsentRunDeps extends DeletionDeps {
  bankLink: BankLink;
  tenants: Tenants;
  /** Days to renew an expired consent before bank data deletion. */
  graceDays: number;
}

export type ConsentRun = {
  /** Consents that expired or were withdrawn since the last run. */
  ended: number;
  reminded: number;
  /** Supporters whose bank data was deleted. */
  deleted: number;
  /** Supporters with a failure; the next run retries them. */
  failed: number;
  /** Those of the failures that no provider caused. */
  faults: number;
  /** Buckets in which the rest was left to the next run, as a provider did not answer. */
  stopped: number;
};

const dayMs = 86_400_000;
/** Period beyond its grace in which an ended consent is polled: it may have been given again without our knowledge. */
const askAgainDays = 30;

/** Polls every consent in this process, at an operator's request, and follows up. */
export async function runConsents(
  deps: ConsentRunDeps & WorkDeps,
  onFailure: OnFailure,
): Promise<ConsentRun & { leftToWorkers: number }> {
  let ended = 0;
  const poll: Work = async (supporterId) => {
    if ((await pollConsent(deps.db.of(supporterId), deps.clock, deps.bankLink, supporterId)).hasEnded) ended += 1;
    return 'asked';
  };
  const { failed, leftToWorkers } = await workOnEverybody(deps, consentPass(deps), poll, onFailure);
  const breaker = circuitBreaker();
  const run = sumsOf(await inEachBucket(deps.db, (db) => followUpConsents({ ...deps, db }, onFailure, breaker)));
  return { ...run, ended: run.ended + ended, failed: run.failed + failed, leftToWorkers };
}

/**
 * Follows up daily, after consents were polled, on a bucket's ended consents, reminders and deletions. One supporter's
 * failure does not hold up the others; unresponsive providers are no longer called, by the breaker that buckets share,
 * as debits wait for this run.
 */
export async function followUpConsents(
  deps: ConsentRunDeps,
  onFailure: OnFailure,
  breaker = circuitBreaker(),
): Promise<ConsentRun> {
  const run: ConsentRun = { ended: 0, reminded: 0, deleted: 0, failed: 0, faults: 0, stopped: 0 };
  const attempt: Attempt = async (supporterId, work) => {
    try {
      return await work();
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      run.failed += 1;
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) run.faults += 1;
      onFailure(supporterId, error as Error);
      return error instanceof ProviderUnavailable ? 'no answer' : undefined;
    }
  };
  const ask: Ask = async (supporterId, work) => {
    if (breaker.isOpen) return false;
    breaker.record((await attempt(supporterId, work)) === 'no answer');
    return !breaker.isOpen;
  };
  run.ended = await endOverdue(deps, attempt);
  run.reminded = await remindEverybody(deps, attempt);
  await finishOffboardings(deps, ask);
  await cancelSuperseded(deps, ask);
  await deleteWhatIsDue(deps, run, ask);
  if (breaker.isOpen) run.stopped = 1;
  return run;
}

/** Does one supporter's part; returns its result, undefined after failure. */
type Attempt = <Result>(supporterId: string, work: () => Promise<Result>) => Promise<Result | 'no answer' | undefined>;

/** Does one supporter's part with a provider; returns whether to ask for further ones. */
type Ask = (supporterId: string, work: () => Promise<void>) => Promise<boolean>;

/** Everyone to ask the provider about: supporters with an active or recently ended consent. */
export function consentPass({ clock, graceDays }: Pick<ConsentRunDeps, 'clock' | 'graceDays'>): Omit<Pass, 'dueAt'> {
  const since = addDays(today(clock), -graceDays - askAgainDays);
  const where: Pass['where'] = (db) => db`
    bank_customer_id is not null and closed_on is null and (consent_active or consent_ended_on >= ${since})`;
  return { kind: 'consent_poll', where };
}

/** Ends overdue consents even while the provider does not answer. */
async function endOverdue({ db, clock }: ConsentRunDeps, attempt: Attempt): Promise<number> {
  let ended = 0;
  for await (const page of supporterPages((after, limit) => listOverdue(db, clock.now(), after, limit))) {
    for (const { supporterId } of page) {
      const end = () => db.begin((tx) => endConsent(tx, clock, supporterId, 'expired'));
      if ((await attempt(supporterId, end)) === true) ended += 1;
    }
  }
  return ended;
}

/** Reminds supporters whose reminder is due and not yet queued. An ended campaign sends no reminders. */
async function remindEverybody({ db, clock, tenants }: ConsentRunDeps, attempt: Attempt): Promise<number> {
  const day = today(clock);
  const before = new Date(clock.now().getTime() + 32 * dayMs);
  const endedClubs = new Set(await listEndedClubs(db.inControl(), tenants, day));
  let reminded = 0;
  const ending = supporterPages((after, limit) => listEnding(db, { now: clock.now(), before }, after, limit));
  for await (const page of ending) {
    for (const consent of page) {
      const tenant = tenants.byKey(consent.tenantKey);
      if ((tenant && hasEnded(tenant, day)) || endedClubs.has(consent.clubId)) continue;
      if ((await attempt(consent.supporterId, () => remind(db, consent, clock.now()))) === true) reminded += 1;
    }
  }
  return reminded;
}

async function remind(db: Db, consent: EndingConsent, at: Date): Promise<boolean> {
  const mail = reminderOf(consent, sydneyDay(at));
  return mail !== undefined && queueEmail(db, { supporterId: consent.supporterId, at, ...mail });
}

/** Returns the consent's reminder, else that of the bank's permission. */
function reminderOf(
  { expiresAt, connectionEndsAt, connectionEndedOn: endedOn }: EndingConsent,
  day: IsoDate,
): Pick<QueuedEmail, 'key' | 'facts'> | undefined {
  const expiresOn = sydneyDay(expiresAt);
  const due = reminderDue(expiresOn, day);
  if (due !== undefined) {
    const facts = { kind: 'consent_reminder', expiresAt: expiresAt.toISOString(), expiresOn } as const;
    return { key: `consent reminder ${due} of ${expiresOn}`, facts };
  }
  // An end long past needs no email, and emails are deleted after their retention.
  if (endedOn !== null && daysBetween(endedOn, day) > reminderDays[0]) return undefined;
  if (endedOn !== null) return { key: `bank ended ${endedOn}`, facts: { kind: 'bank_ended', endedOn } };
  if (connectionEndsAt === null) return undefined;
  const endsOn = sydneyDay(connectionEndsAt);
  const left = reminderDue(endsOn, day);
  if (left === undefined) return undefined;
  return { key: `bank reminder ${left} of ${endsOn}`, facts: { kind: 'bank_reminder', endsOn } };
}

/** Finishes departures during which a provider did not answer. */
async function finishOffboardings(deps: ConsentRunDeps, ask: Ask): Promise<void> {
  const { db, clock } = deps;
  const unfinished = supporterPages((after, limit) => listUnfinished(db, lookedUpDaily(clock), after, limit));
  for await (const page of unfinished)
    for (const supporter of inTurnOfDay(page, today(clock)))
      if (!(await ask(supporter.supporterId, () => finishOffboarding(deps, supporter)))) return;
}

/** Cancels mandates a day after their supporters chose another account; the next run continues with the rest. */
async function cancelSuperseded(deps: ConsentRunDeps, ask: Ask): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - dayMs);
  const superseded = await listSupersededMandates(deps.db, before, lookedUpDaily(deps.clock), 10_000);
  for (const mandate of inTurnOfDay(superseded, today(deps.clock)))
    if (!(await ask(mandate.supporterId, async () => void (await cancelMandate(deps, mandate))))) return;
}

async function deleteWhatIsDue(deps: ConsentRunDeps, run: ConsentRun, ask: Ask): Promise<void> {
  const { db, clock } = deps;
  const day = today(clock);
  for await (const page of supporterPages((after, limit) => listWithBankData(db, clock.now(), after, limit))) {
    for (const { supporterId, end, endedOn } of inTurnOfDay(page, day)) {
      if (bankDataDeletableFrom(end, endedOn, deps.graceDays) > day) continue;
      const goesOn = await ask(supporterId, async () => {
        if ((await deleteBankData(deps, supporterId, 'timetable')).result === 'deleted') run.deleted += 1;
      });
      if (!goesOn) return;
    }
  }
}
