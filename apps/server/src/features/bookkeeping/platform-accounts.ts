import { add, type Cents, type IsoDate, noCents, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

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

export interface PlatformBooks {
  /** The last day that is closed; movements of later days are not in the balances. */
  closedUntil: IsoDate | null;
  /** Each account on its own side, in cents. */
  balances: Record<PlatformAccount, Cents>;
  /** Cents in the trust account and at the provider. */
  heldCents: Cents;
  /** Cents owed to clubs, savers and payers, the operator's own and what is unexplained. */
  owedCents: Cents;
  /** Cents owed beyond what is held, each with its account's name. */
  shortfalls: Partial<Record<PlatformAccount, Cents>>;
}

/** Reads the platform's accounts as they stand at the end of the last closed day. */
export async function readPlatformBooks(db: Db): Promise<PlatformBooks> {
  const [closed] = await db<{ until: IsoDate | null }[]>`select closed_until as until from closed_days`;
  const rows = await db<{ account: PlatformAccount; cents: Cents }[]>`
    select account, sum(cents)::bigint as cents from platform_balances group by account`;
  const known = new Map(rows.map(({ account, cents }) => [account, cents]));
  const of = (account: PlatformAccount): Cents => known.get(account) ?? noCents;
  const all = [...platformAssets, ...platformLiabilities];
  const named = platformAssets.slice(2).filter((account) => of(account) !== 0);
  return {
    closedUntil: closed?.until ?? null,
    balances: Object.fromEntries(all.map((account) => [account, of(account)])) as Record<PlatformAccount, Cents>,
    heldCents: add(of('trust_bank'), of('provider_float')),
    owedCents: total(platformLiabilities.map(of)),
    shortfalls: Object.fromEntries(named.map((account) => [account, of(account)])),
  };
}
