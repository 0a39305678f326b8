import type { LineChain, RoundUpHistoryItem, WhyCounted } from '@sparechange/contract';
import { formatCents, historyDate, isoDate, shortDay } from '@sparechange/domain';

/** The notes beside lines with an unexpected round-up. */
export const notes: Record<WhyCounted, string> = {
  'exact amount': 'Nothing to round up',
  'over the weekly limit': 'Limit reached',
  refunded: 'Refunded',
  'a refund': 'Refund',
  paused: 'Paused',
  'a bill': 'Not rounded',
  'not a purchase': 'Not rounded',
  'waiting for your bank': 'Pending',
};

/** The words for a round-up's outcome. */
export const roundUpStates: Record<RoundUpHistoryItem['state'], string | undefined> = {
  waiting: 'Waiting',
  submitted: 'Being debited',
  cleared: 'Debited',
  refunded: 'Refunded to you',
  returned: 'Taken back',
  dropped: 'Dropped',
  none: undefined,
};

/** Returns how a purchase was rounded, such as "$4.35 to the nearest $1 gives $0.65."; undefined for a line that was not. */
export function roundingWords({ bank, rounding }: LineChain): string | undefined {
  if (!rounding) return undefined;
  return `$${bank.amount} to the nearest $${rounding.stepCents / 100} gives ${formatCents(rounding.rawCents)}.`;
}

/** Explains an unexpected counted amount; undefined for an expected one. */
export function whyWords(line: LineChain): string | undefined {
  switch (line.why) {
    case null:
      return undefined;
    case 'exact amount':
      return 'It is an exact amount, so there is nothing to round up.';
    case 'over the weekly limit':
      return limitWords(line);
    case 'refunded':
    case 'a refund':
      return pairWords(line);
    case 'paused':
      return 'Your round-ups were paused that day, so nothing counts.';
    case 'a bill':
      return 'Bills, such as BPAY and direct debits, are not rounded up.';
    case 'not a purchase':
      return 'Only purchases are rounded up: not transfers, cash, fees or repayments.';
    case 'waiting for your bank':
      return 'Your bank has not finished with it yet. It is rounded up as soon as it has.';
  }
}

function limitWords({ rounding }: LineChain): string | undefined {
  if (!rounding) return undefined;
  const { countedCents, weeklyLimitCents } = rounding;
  const counts =
    countedCents === 0 ? 'none of this round-up counts' : `only ${formatCents(countedCents)} of this round-up counts`;
  return `Your weekly limit of ${formatCents(weeklyLimitCents)} was reached, so ${counts}.`;
}

function pairWords({ why, pair, debits }: LineChain): string | undefined {
  if (!pair) return undefined;
  const other = historyDate(isoDate(pair.date));
  if (why === 'refunded') return `It was paid back on ${other}, so its ${formatCents(pair.cents)} is taken off again.`;
  const [debit] = debits;
  const when = debit ? `was taken off the debit of ${shortDay(isoDate(debit.date))}` : 'comes off your next debit';
  return `It pays back your purchase of ${other}, so ${formatCents(pair.cents)} ${when}.`;
}

/** Words for the state of a debit or its payments. */
export const stateWords: Record<LineChain['debits'][number]['state'], string> = {
  waited: 'Not asked for: there was too little in your account',
  planned: 'Planned',
  submitted: 'On its way',
  cleared: 'Complete',
  refunded: 'Refunded to you',
  returned: 'Returned by the bank',
  reversed: 'Taken back by the bank',
  refused: 'Not taken',
};
