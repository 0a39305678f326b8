import { addDays, type IsoDate, mayBeRefund, reasonNotRounded, sydneyDay } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { pollConnections } from '#features/consent/poll-connections.ts';
import { refreshConsent } from '#features/consent/refresh-consent.ts';
import { findSupporter } from '#features/identity/supporter-repository.ts';
import type { Tenants } from '#features/tenants/load-tenants.ts';
import type { BankLink, BankTransaction } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { forgetOldLines, noticeLines, worthNoticing } from './notice-lines.ts';
import { recordRefunds } from './record-refunds.ts';
import { type Purchase, recordRoundUps } from './record-round-ups.ts';

export interface SyncDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  tenants: Tenants;
  /** The name our debits carry on statements: they never round themselves up. */
  statementName: string;
}

export interface Synced {
  transactions: number;
  roundUps: number;
  roundUpCents: number;
}

/** Purchases may be posted days after they were made; so far before the last data of the bank is looked again. */
const overlapDays = 14;

/** Fetches a supporter's transactions from the bank and records their round-ups. Throws ProviderUnavailable. */
export async function syncPurchases(deps: SyncDeps, supporterId: string): Promise<Synced> {
  const { db, clock, bankLink, tenants, statementName } = deps;
  const nothing = { transactions: 0, roundUps: 0, roundUpCents: 0 };
  const known = await findSupporter(db, supporterId);
  if (!known?.bankCustomerId || !known.roundsFrom) return nothing;
  if (known.isPaused) return nothing; // and not marked as synced: after resuming, what came before the pause is read
  if (!(await refreshConsent(db, clock, bankLink, supporterId))) return nothing;
  const now = clock.now();
  const { dataAt } = await pollConnections(db, clock, bankLink, known);
  const again = known.bankDataAt ? addDays(sydneyDay(known.bankDataAt), -overlapDays) : known.roundsFrom;
  const since = again > known.roundsFrom ? again : known.roundsFrom;
  const transactions = await bankLink.transactionsSince(known.bankCustomerId, since);
  const endsOn = (tenants.byKey(known.tenantKey)?.endsOn ?? null) as IsoDate | null;
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
  const recorded = await recordRoundUps(db, now, purchases);
  await recordRefunds(db, now, supporterId, transactions.filter(mayBeRefund));
  await noticeLines(db, now, supporterId, since, worthNoticing(transactions, statementName, toPurchase));
  await db`
    update supporters set synced_at = ${now}, bank_data_at = coalesce(${dataAt}, bank_data_at)
    where supporter_id = ${supporterId}`;
  const isFirstToday = !known.syncedAt || sydneyDay(known.syncedAt) < sydneyDay(now);
  // What it brings is told by a notification, after which this is done again; so once a day at most.
  if (isFirstToday) await bankLink.refresh(known.bankCustomerId);
  return { transactions: transactions.length, ...recorded };
}

/** Everyone who can have purchases, page by page, so that memory does not grow with their number. */
async function* collectable(db: Pool): AsyncIterable<string[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const page = await db<{ id: string }[]>`
      select supporter_id as id from supporters
      where supporter_id > ${after} and bank_customer_id is not null and onboarded_on is not null
      order by supporter_id limit 200`;
    if (page.length === 0) return;
    yield page.map((row) => row.id);
    after = page.at(-1)?.id ?? after;
  }
}

export interface SyncReport extends Synced {
  /** Supporters whose bank did not answer; they are tried again with the next sync. */
  failed: number;
}

/** Syncs everybody, a few at a time. One bank that does not answer keeps nobody else waiting. */
export async function syncEverybody(
  deps: SyncDeps,
  onFailure: (supporterId: string, error: Error) => void,
): Promise<SyncReport> {
  const report: SyncReport = { transactions: 0, roundUps: 0, roundUpCents: 0, failed: 0 };
  await forgetOldLines(deps.db, deps.clock.now());
  const syncOne = async (supporterId: string) => {
    try {
      const synced = await syncPurchases(deps, supporterId);
      report.transactions += synced.transactions;
      report.roundUps += synced.roundUps;
      report.roundUpCents += synced.roundUpCents;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
      report.failed += 1;
      onFailure(supporterId, error);
    }
  };
  for await (const page of collectable(deps.db)) {
    const queue = page.values();
    const lane = async () => {
      for (const supporterId of queue) await syncOne(supporterId);
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
  }
  return report;
}
