import type { UserRecord } from '@sparechange/contract';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import type { Db } from '#db/connect.ts';
import { notFound } from '#http/errors.ts';
import type { Clock } from '#ports/clock.ts';
import { findSupporter, type Supporter } from './supporter-repository.ts';

/** The supporter, or the refusal that there is none: a signed-in identity that has not finished registering. */
export async function getSupporter(db: Db, supporterId: string): Promise<Supporter> {
  const supporter = await findSupporter(db, supporterId);
  if (!supporter) throw notFound('The supporter');
  return supporter;
}

async function hasUsableFunding(db: Db, supporterId: string): Promise<boolean> {
  const rows = await db`
    select 1 from accounts
    where supporter_id = ${supporterId} and is_funding and is_listed and unusable_since is null`;
  return rows.length === 1;
}

async function pledgedCents(db: Db, supporterId: string): Promise<number> {
  const [balance] = await db<{ cents: number }[]>`
    select cents from ledger_balances where supporter_id = ${supporterId} and account = 'pledged'`;
  return balance?.cents ?? 0;
}

/** The supporter as get-user and every changed setting answer it (spec section 3). */
export async function userRecord(db: Db, clock: Clock, supporterId: string): Promise<UserRecord> {
  const supporter = await getSupporter(db, supporterId);
  const collects = supporter.onboardedOn !== null && supporter.consentActive && !supporter.isPaused;
  const nextDebit =
    collects && (await hasUsableFunding(db, supporterId))
      ? { date: upcomingDebitDay(clock.now()), amountCents: await pledgedCents(db, supporterId) }
      : null;
  return {
    _id: supporter.supporterId,
    externalUserId: supporter.bankCustomerId,
    supportingClubId: supporter.clubId,
    isConsent: supporter.consentActive,
    onboardingComplete: supporter.onboardedOn !== null,
    isUserPausedRoundUp: supporter.isPaused,
    roundupAmountCents: supporter.roundUpStep,
    weeklyMaximumLimit: supporter.weeklyLimitCents,
    savingsAccountEnabled: supporter.savingsEnabled,
    nextDebit,
  };
}

export const userAnswer = async (db: Db, clock: Clock, supporterId: string) => ({
  userRecord: { document: await userRecord(db, clock, supporterId) },
});
