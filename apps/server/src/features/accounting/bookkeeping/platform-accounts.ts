import { add, type Cents, type IsoDate, noCents, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { findRolledUpUntil } from '#features/core/ledger/booking-day.ts';

export const platformAssets = [
  'trust_bank',
  'provider_float',
  'receivable_from_club',
  'receivable_from_saver',
  'receivable_from_payer',
  'fees',
  'operator_loss',
] as const;
export const platformLiabilities = [
  'owed_to_clubs',
  'owed_to_savers',
  'owed_to_payers',
  'operator_funds',
  'suspense',
] as const;
export type PlatformAccount = (typeof platformAssets)[number] | (typeof platformLiabilities)[number];

/** Every account, in the order of the ledger. */
export const platformAccounts: readonly PlatformAccount[] = [...platformAssets, ...platformLiabilities];

export interface PlatformBooks {
  /** Last day whose payments are in the balances; statement lines and corrections are booked immediately. */
  closedUntil: IsoDate | null;
  /** Balance of each account on its own side, in cents. */
  balances: Record<PlatformAccount, Cents>;
  /** Cents in the trust account and at the provider. */
  heldCents: Cents;
  /** Cents owed to clubs, savers, payers and operator, and unexplained. */
  owedCents: Cents;
  /** Cents owed beyond those held, by account. */
  shortfalls: Partial<Record<PlatformAccount, Cents>>;
}

/**
 * Reads the platform's accounts: supporters' payments until the last closed day's end, statement lines and corrections
 * until now.
 */
export async function readPlatformBooks(db: Db): Promise<PlatformBooks> {
  const rows = await db<{ account: PlatformAccount; cents: Cents }[]>`
    select account, sum(cents)::bigint as cents from platform_balances group by account`;
  const known = new Map(rows.map(({ account, cents }) => [account, cents]));
  const of = (account: PlatformAccount): Cents => known.get(account) ?? noCents;
  const named = platformAssets.slice(2).filter((account) => of(account) !== 0);
  return {
    closedUntil: await findRolledUpUntil(db),
    balances: Object.fromEntries(platformAccounts.map((account) => [account, of(account)])) as Record<
      PlatformAccount,
      Cents
    >,
    heldCents: add(of('trust_bank'), of('provider_float')),
    owedCents: total(platformLiabilities.map(of)),
    shortfalls: Object.fromEntries(named.map((account) => [account, of(account)])),
  };
}
