import type { Backdating } from '@sparechange/contract';
import { type IsoDate, monthStart, noCents, reasonNotRounded } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { getSupporter } from '#features/supporters/user-record.ts';
import type { BankLink, BankTransaction } from '#ports/bank-link.ts';
import { type Clock, today } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { estimateSpareChange } from './estimate-spare-change.ts';

export interface EstimateDeps {
  db: Db;
  clock: Clock;
  bankLink: BankLink;
  statementName: string;
}

/**
 * Returns the spare change that backdating adds: of this month's purchases before today on the tracked accounts, as far
 * as the bank shows them. Null where that cannot be known, and once the supporter has answered. Records nothing.
 */
export async function estimateBackdating(deps: EstimateDeps, supporterId: string): Promise<Backdating | null> {
  const { db, clock, bankLink, statementName } = deps;
  const supporter = await getSupporter(db, supporterId);
  const { bankCustomerId, consentActive, onboardedOn, roundUpStep, weeklyLimitCents } = supporter;
  if (!bankCustomerId || !consentActive || onboardedOn) return null;
  const day = today(clock);
  const shown = await shownSince(bankLink, bankCustomerId, monthStart(day));
  if (!shown) return null;
  const tracked = await listTracked(db, supporterId);
  const isToRound = (line: BankTransaction) =>
    line.day < day && tracked.has(line.accountId) && !reasonNotRounded(line, statementName);
  const byId = new Map(shown.filter(isToRound).map((line) => [line.id, line])); // pages may overlap
  const purchases = [...byId.values()];
  const [cents = noCents] = await estimateSpareChange(db, purchases, [{ step: roundUpStep, limit: weeklyLimitCents }]);
  return { purchases: purchases.length, cents };
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

async function listTracked(db: Db, supporterId: string): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select provider_account_id as id from shown_accounts where supporter_id = ${supporterId} and is_tracked`;
  return new Set(rows.map(({ id }) => id));
}
