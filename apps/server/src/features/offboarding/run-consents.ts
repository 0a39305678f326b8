import {
  addDays,
  bankDataDeletableFrom,
  daysBetween,
  type IsoDate,
  reminderDays,
  reminderDue,
  sydneyDay,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { inEachBucket, sumsOf } from '#db/in-each-bucket.ts';
import {
  type EndingConsent,
  listEnding,
  listOverdue,
  listWithBankData,
} from '#features/consents/consent-repository.ts';
import { endConsent } from '#features/consents/end-consent.ts';
import { pollConsent } from '#features/consents/refresh-consent.ts';
import { type QueuedEmail, queueEmail } from '#features/emails/queue-email.ts';
import { type OnFailure, type Work, type WorkDeps, workOnEverybody } from '#features/supporter-work/do-work.ts';
import { beforeEverybody, type Pass } from '#features/supporter-work/work-repository.ts';
import type { BankLink } from '#ports/bank-link.ts';
import { today } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { hasEnded, type Tenants } from '#tenants/load-tenants.ts';
import { cancelMandate, listSupersededMandates } from './cancel-mandates.ts';
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
  /** Supporters whose bank data were deleted. */
  deleted: number;
  /** Supporters whose provider calls failed; the next run retries them. */
  failed: number;
};

const pageSize = 200;
const dayMs = 86_400_000;
/** A consent that ended is asked about for so long beyond its grace: it may have been given again without our knowing. */
const askAgainDays = 30;

/** Polls every consent in this process, as an operator asks, and follows up. */
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
  const run = sumsOf(await inEachBucket(deps.db, (db) => followUpConsents({ ...deps, db }, onFailure)));
  return { ...run, ended: run.ended + ended, failed: run.failed + failed, leftToWorkers };
}

/** Looks daily, after consents were polled, at what is over in a bucket, who is to be reminded and what is to be deleted. */
export async function followUpConsents(deps: ConsentRunDeps, onFailure: OnFailure): Promise<ConsentRun> {
  const run: ConsentRun = { ended: 0, reminded: 0, deleted: 0, failed: 0 };
  const attempt = async (supporterId: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
      run.failed += 1;
      onFailure(supporterId, error);
    }
  };
  run.ended = await endOverdue(deps);
  run.reminded = await remindEverybody(deps);
  await finishOffboardings(deps, attempt);
  await cancelSuperseded(deps, attempt);
  await deleteWhatIsDue(deps, run, attempt);
  return run;
}

type Attempt = (supporterId: string, work: () => Promise<void>) => Promise<void>;

/** Everyone to ask the provider about: with an active consent, or one that ended not long ago. */
export function consentPass({ clock, graceDays }: Pick<ConsentRunDeps, 'clock' | 'graceDays'>): Omit<Pass, 'dueAt'> {
  const since = addDays(today(clock), -graceDays - askAgainDays);
  const where: Pass['where'] = (db) => db`
    bank_customer_id is not null and closed_on is null and (consent_active or consent_ended_on >= ${since})`;
  return { kind: 'consent_poll', where };
}

/** Ends overdue consents even while the provider does not answer. */
async function endOverdue({ db, clock }: ConsentRunDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await listOverdue(db, clock.now(), pageSize);
    for (const supporterId of overdue) {
      if (await db.begin((tx) => endConsent(tx, clock, supporterId, 'expired'))) ended += 1;
    }
    if (overdue.length < pageSize) return ended;
  }
}

/** Reminds those whose reminder is due and not yet queued. A campaign that has ended asks nobody to go on. */
async function remindEverybody({ db, clock, tenants }: ConsentRunDeps): Promise<number> {
  const day = today(clock);
  const before = new Date(clock.now().getTime() + 32 * dayMs);
  let reminded = 0;
  for (let after = beforeEverybody; ; ) {
    const page = await listEnding(db, { now: clock.now(), before }, after, pageSize);
    for (const consent of page) {
      const tenant = tenants.byKey(consent.tenantKey);
      if (tenant && hasEnded(tenant, day)) continue;
      if (await remind(db, consent, clock.now())) reminded += 1;
    }
    after = page.at(-1)?.supporterId ?? after;
    if (page.length < pageSize) return reminded;
  }
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
  // An end long past is no news: its mail is kept no longer than others.
  if (endedOn !== null && daysBetween(endedOn, day) > reminderDays[0]) return undefined;
  if (endedOn !== null) return { key: `bank ended ${endedOn}`, facts: { kind: 'bank_ended', endedOn } };
  if (connectionEndsAt === null) return undefined;
  const endsOn = sydneyDay(connectionEndsAt);
  const left = reminderDue(endsOn, day);
  if (left === undefined) return undefined;
  return { key: `bank reminder ${left} of ${endsOn}`, facts: { kind: 'bank_reminder', endsOn } };
}

/** Finishes departures during which a provider did not answer. */
async function finishOffboardings(deps: ConsentRunDeps, attempt: Attempt): Promise<void> {
  for (let after = beforeEverybody; ; ) {
    const page = await listUnfinished(deps.db, after, pageSize);
    for (const supporter of page) await attempt(supporter.supporterId, () => finishOffboarding(deps, supporter));
    after = page.at(-1)?.supporterId ?? after;
    if (page.length < pageSize) return;
  }
}

/** Mandates whose supporters chose another account, a day after they did; what one run does not get to the next does. */
async function cancelSuperseded(deps: ConsentRunDeps, attempt: Attempt): Promise<void> {
  const superseded = await listSupersededMandates(deps.db, new Date(deps.clock.now().getTime() - dayMs), 10_000);
  for (const mandate of superseded) await attempt(mandate.supporterId, () => cancelMandate(deps, mandate));
}

async function deleteWhatIsDue(deps: ConsentRunDeps, run: ConsentRun, attempt: Attempt): Promise<void> {
  const day = today(deps.clock);
  for (let after = beforeEverybody; ; ) {
    const page = await listWithBankData(deps.db, deps.clock.now(), after, pageSize);
    for (const { supporterId, end, endedOn } of page) {
      if (bankDataDeletableFrom(end, endedOn, deps.graceDays) > day) continue;
      await attempt(supporterId, async () => {
        if ((await deleteBankData(deps, supporterId, 'timetable')).result === 'deleted') run.deleted += 1;
      });
    }
    after = page.at(-1)?.supporterId ?? after;
    if (page.length < pageSize) return;
  }
}
