import { addDays, daysBetween, type IsoDate, sydneyDay } from './days.ts';

/** A consent as the provider reports it; *revoked* is its word for our *withdrawn*. */
export interface ConsentTerm {
  state: 'active' | 'revoked' | 'expired';
  givenAt: Date;
  expiresAt: Date;
}

/** Returns whether the provider keeps a withdrawn consent active. */
export const isWithdrawnHere = (
  { state, givenAt }: Pick<ConsentTerm, 'state' | 'givenAt'>,
  withdrawnAt: Date | null,
): boolean => state === 'active' && withdrawnAt !== null && givenAt <= withdrawnAt;

export type ConsentStatus =
  | { state: 'active'; expiresAt: Date }
  | { state: 'withdrawn' }
  | { state: 'expired' }
  /** The provider knows of none at all. */
  | { state: 'none' };

/**
 * Returns the status of all consents together: active until the last active one ends, else the end of the one given last,
 * whenever it would have ended. A withdrawal here counts before the provider confirms it.
 */
export function consentStatus(consents: ConsentTerm[], now: Date, withdrawnAt: Date | null = null): ConsentStatus {
  const terms = consents.map((term) =>
    isWithdrawnHere(term, withdrawnAt) ? { ...term, state: 'revoked' as const } : term,
  );
  const byEnd = terms.toSorted((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime());
  const active = byEnd.find(({ state, expiresAt }) => state === 'active' && expiresAt > now);
  if (active) return { state: 'active', expiresAt: active.expiresAt };
  const [last] = byEnd.toSorted((one, other) => other.givenAt.getTime() - one.givenAt.getTime());
  if (!last) return { state: 'none' };
  return { state: last.state === 'revoked' ? 'withdrawn' : 'expired' };
}

/** Days before a consent's end on which supporters are reminded. */
export const reminderDays = [30, 7, 1] as const;
export type ReminderDays = (typeof reminderDays)[number];

/**
 * Returns the reminder that is due on a day: the latest of those whose day has come, so that after an outage one is
 * sent and not three. The caller makes sure that it is sent once.
 */
export function reminderDue(expiresOn: IsoDate, day: IsoDate): ReminderDays | undefined {
  const left = daysBetween(day, expiresOn);
  return left < 0 ? undefined : reminderDays.findLast((days) => left <= days);
}

/** Returns whether an end is near enough to renew: from the day of the first reminder on. */
const isNear = (endsOn: IsoDate, day: IsoDate): boolean => daysBetween(day, endsOn) <= reminderDays[0];

/** The first day on which bank data may be deleted: immediately on withdrawal, after days of grace on expiry. */
export function bankDataDeletableFrom(end: 'expired' | 'withdrawn', endedOn: IsoDate, graceDays: number): IsoDate {
  return end === 'withdrawn' ? endedOn : addDays(endedOn, graceDays);
}

/** One bank's connection with its own permission, beside the consent. */
export interface ConnectionTerm {
  /** The bank gives nothing more, even with an active consent. */
  hasEnded: boolean;
  /** Undefined where the bank does not say. */
  endsAt: Date | undefined;
  /** Time of the bank's latest data; undefined where not reported. */
  dataAt: Date | undefined;
}

/** The state of a supporter's connections to their banks together. */
export interface ConnectionStatus {
  hasEnded: boolean;
  /** When the first of them ends. */
  endsAt: Date | null;
  /** Up to when the data of all of them have come; null where the provider does not say. */
  dataAt: Date | null;
}

const earliest = (instants: (Date | undefined)[]): Date | undefined =>
  instants.reduce((first, instant) => (instant && (!first || instant < first) ? instant : first), undefined);

/** Every bank counts: where one has ended, purchases are missed. */
export function connectionStatus(connections: ConnectionTerm[]): ConnectionStatus {
  return {
    hasEnded: connections.some(({ hasEnded }) => hasEnded),
    endsAt: earliest(connections.map(({ endsAt }) => endsAt)) ?? null,
    dataAt: earliest(connections.map(({ dataAt }) => dataAt)) ?? null,
  };
}

export type RenewalStep = 'extend' | 'reauthorise' | 'consent again' | 'nothing';

/**
 * Returns the step of a renewal at the bank. Extending needs an active consent and renews our right to the data; the
 * bank's own permission is the step after it. A consent that ended is given again.
 */
export function renewalStep(
  status: ConsentStatus,
  connections: Pick<ConnectionStatus, 'hasEnded' | 'endsAt'>,
  now: Date,
): RenewalStep {
  if (status.state !== 'active') return 'consent again';
  const day = sydneyDay(now);
  if (isNear(sydneyDay(status.expiresAt), day)) return 'extend';
  return connections.hasEnded || (connections.endsAt !== null && isNear(sydneyDay(connections.endsAt), day))
    ? 'reauthorise'
    : 'nothing';
}

/** Banks refresh daily; supporters hear after this many silent days. */
const silentAfterDays = 7;

export type ConsentHealth =
  | 'good'
  | 'ends soon'
  /** The consent lasts, the permission of a bank does not. */
  | 'bank ends soon'
  | 'bank ended'
  | 'silent'
  | 'expired'
  | 'withdrawn'
  | 'none';

export interface ConsentFacts {
  isActive: boolean;
  /** The last consent's end; null without one, or during one. */
  end: 'expired' | 'withdrawn' | null;
  /** The day on which it ends, or has ended. */
  endsOn: IsoDate | null;
  /** The earliest end of a bank's permission; null where unknown. */
  bankEndsOn: IsoDate | null;
  /** True if one of the banks has ended its permission. */
  hasBankEnded: boolean;
  /** The day on which the bank last sent data. */
  dataOn: IsoDate | null;
  /** False while paused or not set up; nothing is fetched. */
  isSyncExpected: boolean;
}

/**
 * Returns the health of a consent on a day. It can be renewed from the first reminder on, so that nothing is missed.
 */
export function consentHealth(
  { isActive, end, endsOn, bankEndsOn, hasBankEnded, dataOn, isSyncExpected }: ConsentFacts,
  day: IsoDate,
): ConsentHealth {
  if (!isActive) return end === null ? 'none' : end === 'expired' ? 'expired' : 'withdrawn';
  if (hasBankEnded) return 'bank ended';
  if (endsOn !== null && isNear(endsOn, day)) return 'ends soon';
  if (bankEndsOn !== null && isNear(bankEndsOn, day)) return 'bank ends soon';
  if (isSyncExpected && dataOn !== null && daysBetween(dataOn, day) >= silentAfterDays) return 'silent';
  return 'good';
}
