import type { IsoDate } from './days.ts';
import { add, type Cents, negate, noCents, subtract, total } from './money.ts';

/** A club's reserve against later claims: the amount in it, and its maximum. */
export interface Reserve {
  held: Cents;
  wanted: Cents;
}

/** A failed remittance that was not paid again. */
export interface UnpaidRemittance {
  id: string;
  cents: Cents;
  /** Consecutive failures of this money. */
  failures: number;
  /** First banking day to retry; null if its bank details were wrong. */
  retryOn: IsoDate | null;
  /** True if the club's account has changed since. */
  hasNewDetails: boolean;
}

/** A club's money when its remittances are planned. */
export interface ClubFunds {
  /** Cents cleared and not remitted; below zero if more was taken back. */
  fresh: Cents;
  /** First of the days of `fresh`; null without any. */
  firstDay: IsoDate | null;
  reserve: Reserve;
  unpaid: UnpaidRemittance[];
  hasBankDetails: boolean;
}

export interface PlannedRemittance {
  cents: Cents;
  /** First of the days that it covers; null if it covers none. */
  firstDay: IsoDate | null;
  /** Cents of these days for the reserve; below zero if the reserve pays. */
  heldBack: Cents;
  /** Cents included that failed before. */
  retriedCents: Cents;
  /** Failed remittances that it pays again. */
  retried: string[];
  /** Consecutive failures of the retried money. */
  failures: number;
}

export type KeptReason =
  | 'no bank details'
  | 'waits for new bank details'
  | 'will be retried'
  | 'is held back as a reserve'
  | 'is covered by the reserve'
  | 'more was taken back than cleared';

/** An amount that stays in a club's balance. */
export interface KeptAmount {
  cents: Cents;
  reason: KeptReason;
  /** Banking day from which a failed remittance is retried. */
  retryOn?: IsoDate;
}

export interface RemittancePlan {
  remittances: PlannedRemittance[];
  kept: KeptAmount[];
}

/** New money divided: `toClub` is below zero if the club owes it; `waits` is left to a later remittance. */
export interface ReserveShare {
  toClub: Cents;
  toReserve: Cents;
  waits: Cents;
}

/** Divides new money so that the reserve is filled before a club is paid, and used up before the club owes anything. */
export function shareWithReserve(fresh: Cents, { held, wanted }: Reserve): ReserveShare {
  const both = add(fresh, held);
  if (both > wanted) return { toClub: subtract(both, wanted), toReserve: subtract(wanted, held), waits: noCents };
  if (both >= 0) return { toClub: noCents, toReserve: noCents, waits: fresh };
  return { toClub: both, toReserve: negate(held), waits: noCents };
}

/**
 * Decides a club's remittances of a day. Failed money that is due is retried separately from new money, so that neither
 * holds up the other, and together with it if the account has changed or the club owes money; wrong bank details hold
 * back both.
 */
export function planRemittancesOf(club: ClubFunds, day: IsoDate): RemittancePlan {
  const share = shareWithReserve(club.fresh, club.reserve);
  const { ready, later } = divideByDay(club.unpaid, day);
  const reserved = keep(share.waits, share.waits < 0 ? 'is covered by the reserve' : 'is held back as a reserve');
  if (later.some(({ retryOn }) => retryOn === null)) {
    const all = add(share.toClub, sumOf(club.unpaid));
    return { remittances: [], kept: [...reserved, ...keep(all, whyKept(all, club) ?? 'waits for new bank details')] };
  }
  const due = combineOrSeparate(ofNewDays(share, club.firstDay), retry(ready, club.unpaid), club);
  return {
    remittances: due.filter(({ cents }) => cents > 0 && !whyKept(cents, club)),
    kept: [
      ...reserved,
      ...due.flatMap(({ cents }) => keep(cents, whyKept(cents, club))),
      ...keep(sumOf(later), whyKept(sumOf(later), club) ?? 'will be retried', firstRetry(later)),
    ],
  };
}

/** Divides failed money into what is due on a day and what has to wait. */
export function divideByDay(unpaid: UnpaidRemittance[], day: IsoDate) {
  const isReady = (each: UnpaidRemittance) => each.hasNewDetails || (each.retryOn !== null && each.retryOn <= day);
  return { ready: unpaid.filter(isReady), later: unpaid.filter((each) => !isReady(each)) };
}

export const sumOf = (unpaid: UnpaidRemittance[]): Cents => total(unpaid.map(({ cents }) => cents));

const whyKept = (amount: Cents, { hasBankDetails }: ClubFunds): KeptReason | undefined => {
  if (amount < 0) return 'more was taken back than cleared';
  return hasBankDetails ? undefined : 'no bank details';
};

const keep = (amount: Cents, reason?: KeptReason, retryOn?: IsoDate): KeptAmount[] =>
  amount === 0 || !reason ? [] : [{ cents: amount, reason, ...(retryOn && { retryOn }) }];

/** Returns the first banking day from which some of the money is retried. */
export const firstRetry = (later: UnpaidRemittance[]): IsoDate | undefined =>
  later.flatMap(({ retryOn }) => retryOn ?? []).sort()[0];

function ofNewDays({ toClub, toReserve }: ReserveShare, firstDay: IsoDate | null): PlannedRemittance {
  const covered = toClub === 0 ? null : firstDay; // the days of money that waits are covered later
  return { cents: toClub, firstDay: covered, heldBack: toReserve, retriedCents: noCents, retried: [], failures: 0 };
}

/** Retries the money that is due; it has failed as often as any of the club's at its present account. */
function retry(ready: UnpaidRemittance[], unpaid: UnpaidRemittance[]): PlannedRemittance {
  const amount = sumOf(ready);
  const failures = unpaid.filter(({ hasNewDetails }) => !hasNewDetails).map((each) => each.failures);
  return {
    ...{ cents: amount, firstDay: null, heldBack: noCents, retriedCents: amount },
    ...{ retried: ready.map(({ id }) => id), failures: ready.length > 0 ? Math.max(0, ...failures) : 0 },
  };
}

function combineOrSeparate(
  fresh: PlannedRemittance,
  again: PlannedRemittance,
  { unpaid }: ClubFunds,
): PlannedRemittance[] {
  const hasNewDetails = unpaid.some((each) => each.hasNewDetails);
  if (fresh.cents > 0 && again.cents > 0 && !hasNewDetails) return [fresh, again];
  const { firstDay, heldBack } = fresh;
  return [{ ...again, firstDay, heldBack, cents: add(fresh.cents, again.cents) }];
}
