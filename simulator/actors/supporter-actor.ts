import {
  type BalanceFloor,
  type Cents,
  type IsoDate,
  type RoundUpStep,
  sydneyDay,
  type WeeklyLimit,
} from '@sparechange/domain';
import { isDayOfPause } from '@sparechange/domain/model';
import { supporterIdOf } from '@sparechange/server/caller.ts';
import type { Chance } from '../scheduler/chance.ts';

/** A value and the moment from which it has held. */
export interface Since<Value> {
  at: Date;
  value: Value;
}

/** A supporter's choice for an account: tracked or not, and from which day. */
export interface Tracking {
  isOn: boolean;
  from: IsoDate | undefined;
}

export interface KnownAccount {
  /** The product's own id of it. */
  id: string;
  /** The bank link's id of it now. */
  providerId: string;
  canFund: boolean;
  isFunding: boolean;
}

export interface ExtraPurchase {
  at: Date;
  day: IsoDate;
  cents: Cents;
  text: string;
}

export interface Pause {
  from: IsoDate;
  at: Date;
  /** The day it ends automatically, where they chose one. */
  endsOn: IsoDate | undefined;
  until: IsoDate | undefined;
  resumedAt: Date | undefined;
}

/** A supporter as the simulator knows them: by their actions, never by the product's records. */
export interface SupporterActor {
  number: number;
  /** Random choices of their life, which nobody else's change. */
  choices: Chance;
  uid: string;
  email: string;
  supporterId: string;
  crn: string;
  institution: string;
  tenantKey: string;
  joinsOn: IsoDate;
  /** First day whose purchases count, as promised when onboarding ended. */
  firstDay: IsoDate | undefined;
  /** Their id at the bank link, once they have one. */
  customerId: string | undefined;
  /** The next step of onboarding. */
  stage: 'register' | 'connect' | 'choose accounts' | 'fund' | 'finish' | 'ready' | 'closed';
  steps: Since<RoundUpStep>[];
  limits: Since<WeeklyLimit>[];
  pauses: Pause[];
  /** By the account's own number. */
  accounts: Map<string, KnownAccount>;
  tracking: Map<string, Since<Tracking>[]>;
  /** Purchases besides those the bank makes up. */
  purchases: ExtraPurchase[];
  /** Money that came in besides what the bank makes up. */
  credits: ExtraPurchase[];
  hasConsent: boolean;
  consentUntil: Date | undefined;
  /** The end of their bank's permission, independent of the consent's. */
  permittedUntil: Date | undefined;
  /** From which day their bank last kept everything back, and when it began to show it. */
  lapse: { from: IsoDate; until: Date } | undefined;
  /** When the product last deleted what came from their bank. */
  deletedAt: Date | undefined;
  /** Moments at which they withdrew their consent. */
  withdrawals: Date[];
  savings: { isOn: boolean; isLinked: boolean };
  /** Debit days whose skip was confirmed. */
  skips: Set<IsoDate>;
  /** The balance floors that may be in force: two where an answer was lost. */
  floors: Set<BalanceFloor>;
  /** When the end of their debits was confirmed; undefined after a new agreement. */
  stoppedAt: Date | undefined;
  /** When an operator put their debits on hold. */
  heldAt: Date | undefined;
  /** Number of times they were held. */
  holds: number;
  /** When the end of their consent was confirmed; undefined after a new one. */
  withdrawnAt: Date | undefined;
  noDebitNoticeSince: Date | undefined;
  /** Number of pauses that ended automatically while they were giving, each announced by email. */
  resumptions: number;
  /** The SHA-256 of each downloaded receipt, by its period. */
  receipts: Map<string, string>;
}

export function makeSupporter(
  number: number,
  institution: string,
  tenantKey: string,
  joinsOn: IsoDate,
  choices: Chance,
): SupporterActor {
  const uid = `person-${String(number).padStart(4, '0')}`;
  return {
    number,
    choices,
    uid,
    email: `${uid}@supporters.test`,
    supporterId: supporterIdOf(uid),
    crn: String(40_000_000 + number * 7),
    institution,
    tenantKey,
    joinsOn,
    firstDay: undefined,
    customerId: undefined,
    stage: 'register',
    steps: [{ at: new Date(0), value: 100 }],
    limits: [{ at: new Date(0), value: 0 }],
    pauses: [],
    accounts: new Map(),
    tracking: new Map(),
    purchases: [],
    credits: [],
    hasConsent: false,
    consentUntil: undefined,
    permittedUntil: undefined,
    lapse: undefined,
    deletedAt: undefined,
    withdrawals: [],
    savings: { isOn: false, isLinked: false },
    skips: new Set(),
    floors: new Set([50_00]),
    stoppedAt: undefined,
    heldAt: undefined,
    holds: 0,
    withdrawnAt: undefined,
    noDebitNoticeSince: undefined,
    resumptions: 0,
    receipts: new Map(),
  };
}

/** Returns the value that held at a moment. */
export const valueAt = <Value>(history: Since<Value>[] | undefined, at: Date): Value | undefined =>
  history?.findLast((each) => each.at <= at)?.value;

export const openPause = (supporter: SupporterActor) => supporter.pauses.find((pause) => pause.resumedAt === undefined);

export const isPausedAt = (supporter: SupporterActor, at: Date): boolean =>
  supporter.pauses.some((pause) => pause.at <= at && (pause.resumedAt === undefined || pause.resumedAt > at));

/** Returns whether a day lies in a pause begun by that moment: up to the day before resuming. */
export const isPausedDay = (supporter: SupporterActor, day: IsoDate, at: Date): boolean =>
  supporter.pauses.some((pause) => pause.at <= at && isDayOfPause(pause, day));

/** Records a pause; another one changes only the day on which the open one ends, where one is given. */
export function notePause(supporter: SupporterActor, at: Date, day: IsoDate, endsOn?: IsoDate): void {
  const open = openPause(supporter);
  if (!open) supporter.pauses.push({ from: day, at, endsOn, until: undefined, resumedAt: undefined });
  else open.endsOn = endsOn ?? open.endsOn;
}

export function noteResume(supporter: SupporterActor, at: Date, day: IsoDate): void {
  const pause = openPause(supporter);
  if (!pause) return;
  pause.until = day;
  pause.resumedAt = at;
}

/** The end of a consent, or of a bank's permission, that is given at a moment. */
export const yearFrom = (at: Date): Date => new Date(at.getTime() + 365 * 86_400_000);

/** Records that the bank gives permission for another year; if it had ended, the bank begins to show what it kept back. */
export function notePermission(supporter: SupporterActor, now: Date): void {
  const { permittedUntil } = supporter;
  if (permittedUntil && permittedUntil < now) supporter.lapse = { from: sydneyDay(permittedUntil), until: now };
  supporter.permittedUntil = yearFrom(now);
}

/** Returns whether the bank kept a day back until after that moment, because its permission had ended. */
export const wasKeptBack = ({ lapse }: SupporterActor, day: IsoDate, at: Date): boolean =>
  lapse !== undefined && at < lapse.until && day >= lapse.from;

/** Tracks an account from a day on, or stops; what is on already stays on from the day it was. */
export function noteTracking(
  supporter: SupporterActor,
  account: string,
  at: Date,
  isOn: boolean,
  from: IsoDate | undefined,
): void {
  const history = supporter.tracking.get(account) ?? [];
  const before = history.at(-1)?.value;
  if (before?.isOn === isOn) return;
  supporter.tracking.set(account, [...history, { at, value: { isOn, from: isOn ? from : before?.from } }]);
}

export function noteConsentEnd(supporter: SupporterActor, at: Date, why: 'expired' | 'withdrawn'): void {
  supporter.hasConsent = false;
  if (why === 'withdrawn') supporter.withdrawals.push(at);
}
