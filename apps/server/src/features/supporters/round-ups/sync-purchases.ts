import {
  add,
  addDays,
  type Cents,
  mayBePurchaseRefund,
  noCents,
  reasonNotRounded,
  sydneyDay,
} from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { isPaused } from '#features/core/debiting/conditions.ts';
import { type OnFailure, type Work, type WorkDeps, workOnEverybody } from '#features/core/supporter-work/do-work.ts';
import type { Pass } from '#features/core/supporter-work/work-repository.ts';
import { storeAccounts } from '#features/supporters/accounts/store-accounts.ts';
import { pollConnections } from '#features/supporters/consents/poll-connections.ts';
import { pollConsentOf } from '#features/supporters/consents/refresh-consent.ts';
import { findSupporter, type Supporter } from '#features/supporters/profiles/supporter-repository.ts';
import { recordPurchaseRefunds } from '#features/supporters/purchase-refunds/record-purchase-refunds.ts';
import type { BankLink, BankTransaction } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { compareLines } from './compare-lines.ts';
import { recordIneligible, selectIneligible } from './record-ineligible-transactions.ts';
import { type Purchase, recordRoundUps } from './record-round-ups.ts';

export interface SyncDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  encryption: FieldEncryption;
  tenants: Tenants;
  /** Statement name of our own debits, which are never rounded. */
  statementName: string;
}

export interface Synced {
  /** False where there was nothing to ask the bank about. */
  isAsked: boolean;
  transactions: number;
  roundUps: number;
  roundUpCents: Cents;
}

/** Days before the bank's last data that are read again, as purchases may be posted late. */
const overlapDays = 14;

/** Records round-ups from the bank's transactions. Throws ProviderUnavailable. */
export async function syncPurchases(deps: SyncDeps, supporterId: string): Promise<Synced> {
  const { db, clock, bankLink, tenants, statementName } = deps;
  const nothing = { isAsked: false, transactions: 0, roundUps: 0, roundUpCents: noCents };
  const known = await findSupporter(db, supporterId);
  if (!known?.bankCustomerId || !known.roundsFrom) return nothing;
  if (known.isPaused) return nothing; // and not marked as synced: resuming reads purchases of before the pause
  if (!(await pollConsentOf(db, clock, bankLink, known)).isActive) return { ...nothing, isAsked: true };
  const now = clock.now();
  const isFirstToday = !known.syncedAt || sydneyDay(known.syncedAt) < sydneyDay(now);
  // The list of accounts may change without a notification from the bank, so it is requested once a day.
  let hasAccounts = !isFirstToday || (await refreshAccounts(deps, known));
  let { dataAt } = await pollConnections(db, clock, bankLink, known);
  const again = known.bankDataAt ? addDays(sydneyDay(known.bankDataAt), -overlapDays) : known.roundsFrom;
  const since = again > known.roundsFrom ? again : known.roundsFrom;
  const transactions = await bankLink.transactionsSince(known.bankCustomerId, since);
  const endsOn = await campaignEnd(db, tenants, known);
  const toPurchase = (transaction: BankTransaction): Purchase => ({
    supporterId,
    providerAccountId: transaction.accountId,
    transactionId: transaction.id,
    day: transaction.day,
    purchaseCents: transaction.amount,
    description: transaction.description,
    endsOn,
  });
  const purchases = transactions.filter((transaction) => !reasonNotRounded(transaction, statementName)).map(toPurchase);
  const credits = transactions.filter(mayBePurchaseRefund);
  const ineligible = selectIneligible(transactions, statementName, toPurchase);
  const compare = () =>
    compareLines(
      db,
      supporterId,
      { purchases, credits, ineligible },
      transactions.map(({ accountId }) => accountId),
    );
  let fetched = await compare();
  if (!isFirstToday && fetched.hasUnknownAccounts) {
    hasAccounts = await refreshAccounts(deps, known);
    ({ dataAt } = await pollConnections(db, clock, bankLink, known));
    fetched = await compare();
  }
  let recorded = { roundUps: 0, roundUpCents: noCents };
  if (!fetched.isUnchanged) {
    recorded = await recordRoundUps(db, now, purchases);
    await recordPurchaseRefunds(db, now, supporterId, credits);
    await recordIneligible(db, now, supporterId, since, ineligible);
  }
  // Purchases of accounts not listed yet are read again.
  const dataUntil = hasAccounts ? dataAt : null;
  await db`
    update supporters set synced_at = ${now}, bank_data_at = coalesce(${dataUntil ?? null}, bank_data_at),
      statement_digest = ${fetched.digest}
    where supporter_id = ${supporterId} and consent_active`; // a deletion in between has emptied all three
  // Once a day is enough, as a notification of the bank's new data starts another sync.
  if (isFirstToday) await bankLink.refresh(known.bankCustomerId);
  return { isAsked: true, transactions: transactions.length, ...recorded };
}

/** Stores the bank's account list; returns false while empty. */
async function refreshAccounts(deps: SyncDeps, { supporterId, bankCustomerId }: Supporter): Promise<boolean> {
  const listed = bankCustomerId ? await deps.bankLink.listAccounts(bankCustomerId) : [];
  await storeAccounts(deps, supporterId, listed, deps.clock.now());
  return listed.length > 0;
}

/** Everyone who can have purchases that are collected. */
export const syncPass: Omit<Pass, 'dueAt'> = {
  kind: 'sync',
  where: (db) => db`
    bank_customer_id is not null and onboarded_on is not null and closed_on is null
      and not ${isPaused(db, 'supporters')}`,
};

export interface SyncReport extends Omit<Synced, 'isAsked'> {
  /** Supporters whose bank did not answer; they are tried again. */
  failed: number;
  /** Supporters that the workers sync once the bank link answers. */
  leftToWorkers: number;
}

/**
 * Syncs everybody in this process, at an operator's request. One bank that does not answer does not hold up the others.
 */
export async function syncEverybody(deps: SyncDeps & WorkDeps, onFailure: OnFailure): Promise<SyncReport> {
  const report: SyncReport = { transactions: 0, roundUps: 0, roundUpCents: noCents, failed: 0, leftToWorkers: 0 };
  const sync: Work = async (supporterId) => {
    const synced = await syncPurchases({ ...deps, db: deps.db.of(supporterId) }, supporterId);
    report.transactions += synced.transactions;
    report.roundUps += synced.roundUps;
    report.roundUpCents = add(report.roundUpCents, synced.roundUpCents);
    return synced.isAsked ? 'asked' : 'not asked';
  };
  const { failed, leftToWorkers } = await workOnEverybody(deps, syncPass, sync, onFailure);
  return { ...report, failed, leftToWorkers };
}
