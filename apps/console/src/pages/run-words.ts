import type { RunState } from '@sparechange/contract/console';
import { becsReasons, parseReturnCode } from '@sparechange/domain';

export const runStates: Record<RunState, { name: string; tone: 'plain' | 'good' | 'bad' }> = {
  suspended: { name: 'Stopped', tone: 'bad' },
  running: { name: 'Under way', tone: 'plain' },
  finished: { name: 'Sent', tone: 'good' },
};

const outcomes: Record<string, string> = {
  planned: 'Planned',
  submitting: 'Being sent',
  submitted: 'Sent, no outcome yet',
  cleared: 'Cleared',
  returned: 'Returned',
  reversed: 'Claimed back',
  refused: 'Refused',
  deferred: 'Left for a later run',
};

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
