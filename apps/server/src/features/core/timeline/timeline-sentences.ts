import {
  becsReasons,
  type Cents,
  type DeferralReason,
  formatCents,
  longDay,
  type ReturnCode,
  subtract,
} from '@sparechange/domain';
import { auditDetail } from '@sparechange/domain/audit-detail';
import { counted } from '@sparechange/domain/counted';
import { isUuid } from '#uuid.ts';
import type { CoveredDay, PaidOut, PlannedDebit, TimelineFact } from './timeline-facts.ts';

const because = (code: number | null): string =>
  code === null ? 'without a code' : `with code ${code}, ${becsReasons[code as ReturnCode] ?? 'unknown'}`;

const perhaps = (reason: string | null): string => (reason ? `: ${reason}` : '');

const purchases = (count: number): string => counted(count, 'purchase');

const dayOf = ({ day, purchases: count, counted }: CoveredDay): string =>
  `${longDay(day)} ${formatCents(counted)} (${purchases(count)})`;

/** Composition of its amount, to the cent. */
function origin({ covers, days, represented, refunds, debit }: PlannedDebit): string {
  if (debit === 'donation') return 'a one-off donation';
  const kept = days.reduce((sum, day) => sum + day.purchases, 0);
  const parts = [
    ...(days.length > 0 ? [`round-ups of ${days.map(dayOf).join(', ')}`] : []),
    ...(kept < covers ? [`${counted(covers - kept, 'round-up')} deleted with the bank's data`] : []),
    ...(represented > 0 ? [`${formatCents(represented)} that earlier debits did not collect`] : []),
  ];
  const less = refunds > 0 ? `; less ${formatCents(refunds)} for purchases that were refunded` : '';
  return parts.join('; ') + less;
}

const savingsPart = (savings: Cents): string => (savings > 0 ? ` ${formatCents(savings)} of it is for savings.` : '');

const paidOut = ({ kind, reference, amount, debit }: PaidOut & Pick<TimelineFact, 'kind'>): string =>
  `${kind.startsWith('deposit') ? 'Savings deposit' : 'Refund'} ${reference} of ${formatCents(amount)}${debit ? ` of debit ${debit}` : ''}`;

/** Clearer names for details of the audit log. */
const detailNames: Record<string, string> = { cents: 'amount', amountCents: 'amount' };

/**
 * Puts audit details into words: "step: $2.00", "on: yes"; ids of other rows, which the audit log has, are left out.
 */
function detailsOf(details: Extract<TimelineFact, { kind: 'noted' }>['details']): string {
  const words = Object.entries(details).flatMap(([name, value]) => {
    if (value === null) return [`no ${name}`];
    if (typeof value === 'boolean') return [`${name}: ${value ? 'yes' : 'no'}`];
    if (isUuid(String(value))) return [];
    if (name === 'because') return [String(value)];
    return [`${detailNames[name] ?? name}: ${auditDetail(name, value)}`];
  });
  return words.length > 0 ? ` (${words.join(', ')})` : '';
}

/** Acts on payments, which the audit log names by the payment's outcome. */
const actsOnPayments: Record<string, string> = {
  'debit refunded': 'refunded a debit',
  'payment parked': 'parked a payment',
  'payment retried': 'retried a payment',
  'payment failed': 'marked a payment as failed',
};

const actors: Record<string, string> = {
  supporter: 'The supporter',
  'mailed link': 'Somebody with a mailed link',
  operator: 'An operator',
  timetable: 'The product',
  bank: 'The bank',
  'open banking': 'The bank link',
  'direct debit': 'The debit provider',
};

/** Actions that describe a person's act; others, such as "consent expired", describe an event. */
const isDone = /^(\w+ed|chose|held|no longer skips) /;

const balanceWas: Record<DeferralReason, string> = {
  'below floor': 'was below the floor they had chosen',
  'below debit': 'was below the debit',
  'not readable': 'could not be read',
};

const droppedBecause = {
  'waited three runs': 'it had waited three runs, and is not asked for again',
  'bank data deleted': "the bank's data it was made of were deleted",
  'campaign ended': 'the campaign has ended, and it is not asked for again',
};

/** Returns the words of a pre-debit notice. */
const announced = ({ run, soFar }: Extract<TimelineFact, { about: string }>): string =>
  run && soFar !== null ? ` of ${longDay(run)}, ${formatCents(soFar)} so far` : '';

/** Returns plain sentences for somebody who decides a dispute. */
export function sentenceFor(fact: TimelineFact): string {
  switch (fact.kind) {
    case 'registered': {
      const by = fact.referrer ? `, referred by ${fact.referrer}` : '';
      return `${fact.name} registered as ${fact.email} for ${fact.club}, on the pages of ${fact.tenant}${by}.`;
    }
    case 'agreed to the direct debit':
      return (
        `${fact.payerName} agreed to the direct debit request and service agreement, version ${fact.termsVersion}, for account ` +
        `${fact.maskedAccount} and at most ${formatCents(fact.ceiling)} a debit, on the pages of ${fact.tenant}, from ${fact.ip} with ${fact.userAgent}.`
      );
    case 'mandate cancelled':
      return `The authority to debit account ${fact.maskedAccount} was cancelled.`;
    case 'debit planned':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was planned for ${longDay(fact.runDate)} from account ${fact.maskedAccount}: ${origin(fact)}.${savingsPart(fact.savings)}`;
    case 'debit submitted':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was submitted; the provider calls it ${fact.providerRef}.`;
    case 'debit cleared':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} cleared: ${formatCents(subtract(fact.amount, fact.savings))} for ${fact.club}.${savingsPart(fact.savings)}`;
    case 'debit returned':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} came back ${because(fact.code)}.`;
    case 'debit reversed':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was taken back after it had cleared, ${because(fact.code)}.`;
    case 'debit refused':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was not taken${perhaps(fact.reason)}.`;
    case 'debit deferred':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was not asked for and waits for the next run: the balance ${balanceWas[fact.reason]}.`;
    case 'debit parked':
      return `Debit ${fact.reference} of ${formatCents(fact.amount)} was parked: without an answer of the provider for a day, it is asked for no more, and no other debit is until an operator has decided.`;
    case 'round-ups dropped':
      return `The campaign for ${fact.club} has ended: ${formatCents(fact.amount)} of round-ups not yet debited was dropped.`;
    case 'debit dropped':
      return `${formatCents(fact.amount)} of debit ${fact.reference} was dropped: ${droppedBecause[fact.because]}.`;
    case 'purchase refunded':
      return `A purchase of ${longDay(fact.boughtOn)} was paid back on ${longDay(fact.refundedOn)}: ${formatCents(fact.off)} comes off the next debit.`;
    case 'receipt issued':
      return `Receipt ${fact.number} for ${longDay(fact.firstDay)} to ${longDay(fact.lastDay)} was issued: ${formatCents(fact.total)}.`;
    case 'deposit planned':
      return `Savings deposit ${fact.reference} of ${formatCents(fact.amount)}, set aside up to the end of ${fact.month}, was planned to account ${fact.maskedAccount}.`;
    case 'deposit submitted':
    case 'refund submitted':
      return `${paidOut(fact)} was submitted; the provider calls it ${fact.providerRef}.`;
    case 'deposit cleared':
    case 'refund cleared':
      return `${paidOut(fact)} arrived.`;
    case 'deposit returned':
    case 'deposit reversed':
    case 'deposit refused':
    case 'refund returned':
    case 'refund reversed':
    case 'refund refused': {
      const why = fact.reason === null && fact.code !== null ? ` ${because(fact.code)}` : perhaps(fact.reason);
      return `${paidOut(fact)} was ${fact.kind.replace(/^\w+ /, '')}${why}.`;
    }
    case 'bank data deleted':
      return (
        `${counted(fact.accounts, 'account')} and ${purchases(fact.roundUps)} from the bank were deleted, because the consent had ${fact.because === 'expired' ? 'expired' : 'been withdrawn'} ` +
        `(asked by ${fact.askedBy}); ${formatCents(fact.dropped)} not yet collected was dropped.`
      );
    case 'mail sent':
      return `A mail was sent: ${fact.about.replaceAll('_', ' ')}${announced(fact)}.`;
    case 'mail given up':
      return `A mail could not be delivered: ${fact.about.replaceAll('_', ' ')}${announced(fact)}${perhaps(fact.failure)}.`;
    case 'noted': {
      const action = actsOnPayments[fact.action] ?? fact.action;
      return `${actors[fact.actor] ?? fact.actor}${isDone.test(action) ? '' : ':'} ${action}${detailsOf(fact.details)}.`;
    }
  }
}
