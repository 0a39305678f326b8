import {
  add,
  addDays,
  type Cents,
  type IsoDate,
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
import { type ComparedLines, compareLines } from './compare-lines.ts';
import { recordIneligible, selectIneligible, type UnroundedLine } from './record-ineligible-transactions.ts';
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
  const { db, clock, bankLink } = deps;
  const nothing = { isAsked: false, transactions: 0, ...noRoundUps };
  const known = await findSupporter(db, supporterId);
  if (!known?.bankCustomerId || !known.roundsFrom) return nothing;
  if (known.isPaused) return nothing; // and not marked as synced: resuming reads purchases of before the pause
  if (!(await pollConsentOf(db, clock, bankLink, known)).isActive) return { ...nothing, isAsked: true };
  const now = clock.now();
  const isFirstToday = !known.syncedAt || sydneyDay(known.syncedAt) < sydneyDay(now);
  // The list of accounts may change without a notification from the bank, so it is requested once a day.
  const dataUntil = await readDataUntil(deps, known, isFirstToday);
  const since = readsFrom(known.roundsFrom, known.bankDataAt);
  const transactions = await bankLink.transactionsSince(known.bankCustomerId, since);
  const lines = selectLines(transactions, deps.statementName, supporterId, await campaignEnd(db, deps.tenants, known));
  const compared = await compareWithKnown(deps, known, { transactions, lines, dataUntil, isFirstToday });
  const recorded = compared.isUnchanged ? noRoundUps : await recordLines(db, now, supporterId, since, lines);
  await markSynced(db, now, supporterId, compared);
  // Once a day is enough, as a notification of the bank's new data starts another sync.
  if (isFirstToday) await bankLink.refresh(known.bankCustomerId);
  return { isAsked: true, transactions: transactions.length, ...recorded };
}

const noRoundUps = { roundUps: 0, roundUpCents: noCents };

/** Returns the first day to read: some days before the bank's last data, and none before the supporter's first. */
function readsFrom(roundsFrom: IsoDate, bankDataAt: Date | null): IsoDate {
  const again = bankDataAt ? addDays(sydneyDay(bankDataAt), -overlapDays) : roundsFrom;
  return again > roundsFrom ? again : roundsFrom;
}

/**
 * Returns the time until which the banks have sent data. It is null while no account is listed, so that purchases of
 * accounts not listed yet are read again.
 */
async function readDataUntil(deps: SyncDeps, known: Supporter, isListed: boolean): Promise<Date | null> {
  const hasAccounts = !isListed || (await refreshAccounts(deps, known));
  const { dataAt } = await pollConnections(deps.db, deps.clock, deps.bankLink, known);
  return hasAccounts ? dataAt : null;
}

interface Lines {
  purchases: Purchase[];
  credits: BankTransaction[];
  ineligible: UnroundedLine[];
}

/** Selects a statement's purchases to be rounded, the credits that may refund one, and other lines worth recording. */
function selectLines(
  transactions: BankTransaction[],
  statementName: string,
  supporterId: string,
  endsOn: IsoDate | null,
): Lines {
  const toPurchase = (transaction: BankTransaction): Purchase => ({
    supporterId,
    providerAccountId: transaction.accountId,
    transactionId: transaction.id,
    day: transaction.day,
    purchaseCents: transaction.amount,
    description: transaction.description,
    endsOn,
  });
  return {
    purchases: transactions.filter((transaction) => !reasonNotRounded(transaction, statementName)).map(toPurchase),
    credits: transactions.filter(mayBePurchaseRefund),
    ineligible: selectIneligible(transactions, statementName, toPurchase),
  };
}

interface Statement {
  transactions: BankTransaction[];
  lines: Lines;
  dataUntil: Date | null;
  isFirstToday: boolean;
}

type Compared = Pick<ComparedLines, 'digest' | 'isUnchanged'> & Pick<Statement, 'dataUntil'>;

/** Compares a statement with the last one; if it names unknown accounts, the bank's accounts are listed again first. */
async function compareWithKnown(
  deps: SyncDeps,
  known: Supporter,
  { transactions, lines, dataUntil, isFirstToday }: Statement,
): Promise<Compared> {
  const accountIds = transactions.map(({ accountId }) => accountId);
  const compared = await compareLines(deps.db, known.supporterId, lines, accountIds);
  if (isFirstToday || !compared.hasUnknownAccounts) return { ...compared, dataUntil };
  const listedUntil = await readDataUntil(deps, known, true);
  return { ...(await compareLines(deps.db, known.supporterId, lines, accountIds)), dataUntil: listedUntil };
}

async function recordLines(db: Pool, now: Date, supporterId: string, since: IsoDate, lines: Lines) {
  const recorded = await recordRoundUps(db, now, lines.purchases);
  await recordPurchaseRefunds(db, now, supporterId, lines.credits);
  await recordIneligible(db, now, supporterId, since, lines.ineligible);
  return recorded;
}

const markSynced = (db: Pool, now: Date, supporterId: string, { dataUntil, digest }: Compared) => db`
  update supporters set synced_at = ${now}, bank_data_at = coalesce(${dataUntil}, bank_data_at), statement_digest = ${digest}
  where supporter_id = ${supporterId} and consent_active`; // a deletion in between has emptied all three

/** Stores the bank's account list; returns false while it is empty. */
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
