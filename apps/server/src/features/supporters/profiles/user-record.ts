import type { UserRecord } from '@sparechange/contract';
import { add, addDays, consentHealth, type IsoDate, sydneyDay } from '@sparechange/domain';
import { upcomingDebitDay } from '@sparechange/domain/banking-calendar';
import { runThatDebits } from '@sparechange/domain/skipped-debit';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { earliestEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import type { Clock } from '#ports/clock.ts';
import { isOver } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { findSupporter, type Supporter } from './supporter-repository.ts';
import { findUserRecordRow, type ReturnedDebit, type UserRecordRow } from './user-record-repository.ts';

/** Returns the supporter. Throws NotFound before registration is finished. */
export async function getSupporter(db: Db, supporterId: string): Promise<Supporter> {
  const supporter = await findSupporter(db, supporterId);
  if (!supporter) throw new NotFound('The supporter');
  return supporter;
}

/** Days for which a return is shown if nothing else would end it. */
const daysOfReturned = 7;

let known: { minute: number; debitDay: IsoDate; day: IsoDate } | undefined;

/**
 * Today and the next debit day, computed once a minute: runs and days start on whole minutes, and calendars are slow.
 */
function daysAt(now: Date): { day: IsoDate; debitDay: IsoDate } {
  const minute = Math.floor(now.getTime() / 60_000);
  if (known?.minute !== minute) known = { minute, day: sydneyDay(now), debitDay: upcomingDebitDay(now) };
  return known;
}

export interface UserRecordDeps {
  db: Db;
  clock: Clock;
  tenants: Tenants;
}

/** The supporter as returned by get-user and every changed setting. */
export async function userRecord({ db, clock, tenants }: UserRecordDeps, supporterId: string): Promise<UserRecord> {
  const { day, debitDay: runDay } = daysAt(clock.now());
  const row = await findUserRecordRow(db, supporterId, runDay);
  if (!row) throw new NotFound('The supporter');
  const date = runThatDebits(runDay, row.isSkipped);
  const end = earliestEnd(tenants, row.tenantKey, {
    id: row.clubId,
    parentId: row.clubParentId,
    endsOn: row.clubEndsOn,
  });
  const tenant = tenants.byKey(row.tenantKey);
  const isCampaignRunning = tenant !== undefined && !isOver(end, date);
  const isGiving = isCampaignRunning && row.isOnboarded && row.consentActive;
  const isRoundingUp = isGiving && !row.isPaused;
  const isCollecting = isRoundingUp && row.hasUsableFunding && !row.isOnHold;
  return {
    _id: row.supporterId,
    externalUserId: row.bankCustomerId,
    supportingClubId: row.clubId,
    isConsent: row.consentActive,
    onboardingComplete: row.isOnboarded,
    isUserPausedRoundUp: row.isPaused,
    ...(row.pausedUntil ? { pausedUntil: row.pausedUntil } : {}),
    roundupAmountCents: row.roundUpStep,
    weeklyMaximumLimit: row.weeklyLimitCents,
    savingsAccountEnabled: row.savingsEnabled,
    consentHealth: healthOf(row, day),
    nextDebit: isCollecting
      ? {
          date,
          amountCents: row.nextCents,
          ...(row.isSkipped ? { skips: runDay } : {}),
          ...(row.nextCents < tenant.minimumDebitCents ? { minimumCents: tenant.minimumDebitCents } : {}),
        }
      : null,
    ...(end !== null && isOver(end, day)
      ? { campaignEnded: { on: end, droppedCents: add(row.waitingCents, row.droppedByEndCents) } }
      : {}),
    ...(isRoundingUp && !row.hasUsableFunding ? { waitsForAccountCents: row.waitingCents } : {}),
    ...(isGiving && row.isPaused && row.waitingCents > 0 ? { waitsForResumeCents: row.waitingCents } : {}),
    ...(isRoundingUp && row.unusableBecause ? { whyNoAccount: row.unusableBecause } : {}),
    ...(row.missingAccounts.length > 0 ? { missingAccounts: row.missingAccounts } : {}),
    ...(row.undoableDonations.length > 0 ? { undoableDonations: row.undoableDonations } : {}),
    ...(isRoundingUp && row.tracksNoAccount ? { tracksNoAccount: true as const } : {}),
    ...(isCampaignRunning ? returnedDebits(row, day) : {}),
    ...(row.isOnHold ? { isOnHold: true as const } : {}),
  };
}

/** Returns the bank's returns while they matter (docs/decisions/returned-debits.md#dashboard-lines). */
function returnedDebits(
  row: UserRecordRow,
  day: IsoDate,
): Pick<UserRecord, 'returnedDebit' | 'returnedDonation' | 'takenBackDebit' | 'takenBackDonation'> {
  if (row.returned.length + row.takenBack.length === 0) return {};
  const debit = row.returned.find(({ kind }) => kind === 'round-up');
  const since = addDays(day, -daysOfReturned);
  const lately = (debits: ReturnedDebit[], of: ReturnedDebit['kind']) =>
    debits.find(({ kind, returnedOn }) => kind === of && returnedOn > since);
  const donation = lately(row.returned, 'donation');
  const takenBack = lately(row.takenBack, 'round-up');
  const takenBackDonation = lately(row.takenBack, 'donation');
  return {
    ...(debit ? { returnedDebit: { ...named(debit), next: afterReturnOf(row) } } : {}),
    ...(donation ? { returnedDonation: named(donation) } : {}),
    ...(takenBack ? { takenBackDebit: named(takenBack) } : {}),
    ...(takenBackDonation ? { takenBackDonation: named(takenBackDonation) } : {}),
  };
}

const named = ({ date, amountCents }: ReturnedDebit) => ({ date, amountCents });

/** Uses the words of the email. */
function afterReturnOf(row: UserRecordRow): NonNullable<UserRecord['returnedDebit']>['next'] {
  if (!row.consentActive) return 'renew';
  if (row.isPaused) return row.isPausedByReturns ? 'two_returns' : 'resume';
  return row.hasUsableFunding ? 'next_debit' : 'choose_account';
}

function healthOf(row: UserRecordRow, day: IsoDate): UserRecord['consentHealth'] {
  const { consentActive: isActive, consentEnd: end, consentEndsOn: endsOn, isOnboarded, isPaused } = row;
  const { bankEndsOn, hasBankEnded, dataOn } = row;
  const isSyncExpected = isOnboarded && !isPaused;
  const state = consentHealth({ isActive, end, endsOn, bankEndsOn, hasBankEnded, dataOn, isSyncExpected }, day);
  return { state, endsOn, bankEndsOn, dataOn };
}

export const userAnswer = async (deps: UserRecordDeps, supporterId: string) => ({
  userRecord: { document: await userRecord(deps, supporterId) },
});
