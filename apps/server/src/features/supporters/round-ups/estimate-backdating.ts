import type { Backdating } from '@sparechange/contract';
import { type IsoDate, monthStart, noCents, type PastPurchase, reasonNotRounded } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { Supporter } from '#features/supporters/profiles/supporter-repository.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import type { BankLink, BankTransaction } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { countGiving, estimateSpareChange } from './estimate-spare-change.ts';

export interface EstimateDeps {
  db: Db;
  clock: Clock;
  bankLink: BankLink;
  statementName: string;
}

/** A purchase to round, with its account. */
export interface ShownPurchase extends PastPurchase {
  accountId: string;
  isTracked: boolean;
}

/**
 * Returns the spare change that backdating adds: of this month's purchases before today on the tracked accounts, as far
 * as the bank shows them. Null if that cannot be known, and once the supporter has answered. Records nothing.
 */
export async function estimateBackdating(deps: EstimateDeps, supporterId: string): Promise<Backdating | null> {
  const supporter = await getSupporter(deps.db, supporterId);
  if (supporter.onboardedOn) return null;
  const shown = await purchasesBeforeToday(deps, supporter, monthStart(today(deps.clock)));
  if (!shown) return null;
  const purchases = shown.filter(({ isTracked }) => isTracked);
  const settings = { step: supporter.roundUpStep, limit: supporter.weeklyLimitCents };
  const [cents = noCents] = await estimateSpareChange(deps.db, purchases, [settings]);
  return { purchases: await countGiving(deps.db, purchases, settings), cents };
}

/** Lists the purchases before today that the bank shows. Undefined without a consent, and without the bank's answer. */
export async function purchasesBeforeToday(
  { db, clock, bankLink, statementName }: EstimateDeps,
  { supporterId, bankCustomerId, consentActive }: Supporter,
  since: IsoDate,
): Promise<ShownPurchase[] | undefined> {
  if (!bankCustomerId || !consentActive) return undefined;
  const shown = await shownSince(bankLink, bankCustomerId, since);
  const accounts = await listShownAccounts(db, supporterId);
  const day = today(clock);
  const isToRound = (line: BankTransaction) => line.day < day && !reasonNotRounded(line, statementName);
  const byId = new Map(shown?.filter(isToRound).map((line) => [line.id, line])); // pages may overlap
  return (
    shown &&
    [...byId.values()].flatMap((line) => {
      const account = accounts.get(line.accountId);
      return account ? [{ day: line.day, amount: line.amount, ...account }] : [];
    })
  );
}

/** Returns undefined, not an error, without the bank's answer. */
async function shownSince(bankLink: BankLink, customerId: string, day: IsoDate) {
  try {
    return await bankLink.transactionsSince(customerId, day);
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return undefined;
    throw error;
  }
}

async function listShownAccounts(db: Db, supporterId: string) {
  const rows = await db<{ id: string; accountId: string; isTracked: boolean }[]>`
    select provider_account_id as id, account_id as "accountId", is_tracked as "isTracked"
    from shown_accounts where supporter_id = ${supporterId}`;
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}
