import type { RunState, Today } from '@sparechange/contract/console';
import { becsReasons, parseReturnCode, shortDay } from '@sparechange/domain';
import { momentInWords } from '../../words.ts';
import { stateNames } from '../payments/payment-words.ts';

export const waitingForBanks = 'Waiting for banks';

export const runStates: Record<RunState, { name: string; tone: 'plain' | 'good' | 'bad' }> = {
  suspended: { name: 'Stopped', tone: 'bad' },
  planned: { name: 'Planned', tone: 'plain' },
  running: { name: 'Sending', tone: 'plain' },
  waiting: { name: waitingForBanks, tone: 'plain' },
  complete: { name: 'Complete', tone: 'good' },
  complete_with_returns: { name: 'Complete, with returns', tone: 'good' },
  finished: { name: 'Sent', tone: 'plain' },
};

const outcomes: Record<string, string> = { ...stateNames, submitted: waitingForBanks };

/** Tones of a run's bar, by the state of its debits. */
export const outcomeTones: Record<string, string> = {
  cleared: 'good',
  returned: 'bad',
  reversed: 'bad',
  refused: 'bad',
  submitted: 'sent',
  submitting: 'sending',
  planned: 'planned',
  deferred: 'later',
};

type Suspension = NonNullable<Today['suspension']>;

/** "Nobody has been debited since Wed 12 May, 12:00 pm, because of the run of Mon 10 May". */
export const suspensionInWords = ({ since, date }: Pick<Suspension, 'since' | 'date'>): string =>
  `Nobody has been debited since ${momentInWords(since)}, because of the run of ${shortDay(date)}`;

interface Outcome {
  state: string;
  returnCode: number | null;
  refusalCause: string | null;
  deferredBecause?: string | null;
}

/** "Returned: refer to customer". */
export function outcomeInWords({ state, returnCode, refusalCause, deferredBecause }: Outcome): string {
  const code = parseReturnCode(String(returnCode));
  const why = (code && becsReasons[code]) ?? (refusalCause ?? deferredBecause)?.replaceAll('_', ' ');
  return [outcomes[state] ?? state, why].filter(Boolean).join(': ');
}
