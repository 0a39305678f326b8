import { daysBetween, type IsoDate } from './days.ts';
import { type Cents, cents } from './money.ts';

export type SkipReason =
  | 'paused'
  | 'no consent'
  | 'no funding account'
  | 'campaign ended'
  | 'tenant stopped'
  | 'below minimum'
  | 'over ceiling'
  | 'skipped'
  | 'already planned';

/** What decides whether a run debits somebody, as it stands at one moment. */
export interface Giver {
  /** Counted and in no debit yet. */
  waiting: Cents;
  /** Asked for by debits that came back or waited, and to be asked for again. */
  repeats: Cents;
  /** To be taken off for purchases that were paid back. */
  refunds: Cents;
  /** Whether the run has a debit of theirs already. */
  isPlanned: boolean;
  hasCampaignEnded: boolean;
  isTenantStopped: boolean;
  hasConsent: boolean;
  isPaused: boolean;
  /** Whether they skip this run. */
  isSkipped: boolean;
  /** The least that their tenant debits. */
  minimum: Cents;
  /** The most that they agreed to; undefined without a usable account that they agreed to have debited. */
  ceiling: Cents | undefined;
}

/** What a run would ask for; below zero where more was paid back than waits. */
export const candidateOf = ({ waiting, repeats, refunds }: Giver): Cents => cents(waiting + repeats - refunds);

/** Why somebody who has something to debit is not debited, the first reason that holds; undefined where they are. */
export function reasonNotDebited(giver: Giver): SkipReason | undefined {
  if (giver.isPlanned) return 'already planned';
  if (giver.hasCampaignEnded) return 'campaign ended';
  if (giver.isTenantStopped) return 'tenant stopped';
  if (!giver.hasConsent) return 'no consent';
  if (giver.isPaused) return 'paused';
  if (giver.isSkipped) return 'skipped';
  if (giver.ceiling === undefined) return 'no funding account';
  if (candidateOf(giver) < giver.minimum) return 'below minimum';
  if (candidateOf(giver) > giver.ceiling) return 'over ceiling';
  return undefined;
}

/** Whom a run debits: who has something to debit and nothing against it. */
export const isDebited = (giver: Giver): boolean => candidateOf(giver) > 0 && reasonNotDebited(giver) === undefined;

/** Whoever's purchases of so many days came to something is told of a debit also while too little waits: the night may bring more. */
export const recentDays = 7;

/** Who is told, and wants to be. */
export interface MailReader {
  wantsDebitMails: boolean;
  /** The day of their newest purchase that counted for something. */
  lastGaveOn: IsoDate | undefined;
}

/**
 * Whom the mail of the evening before a run is for (docs/decisions/0024): whom the run would debit as things stand, and
 * whom the purchases of one more night may bring to it. Undefined, or the amount so far.
 */
export function toldBefore(run: IsoDate, giver: Giver & MailReader): Cents | undefined {
  const reason = reasonNotDebited(giver);
  const { wantsDebitMails, lastGaveOn } = giver;
  const gaveLately = lastGaveOn !== undefined && daysBetween(lastGaveOn, run) <= recentDays;
  const mayBeDebited = gaveLately && (reason === undefined || reason === 'below minimum');
  if (!wantsDebitMails || !(isDebited(giver) || mayBeDebited)) return undefined;
  return cents(Math.max(0, candidateOf(giver)));
}
