import type { UserRecord } from '@sparechange/contract';
import type { ConsentHealth } from '@sparechange/domain';

type Health = UserRecord['consentHealth'];

const advice: Partial<Record<ConsentHealth, string>> = {
  'ends soon': 'Renew it before then and nothing is missed.',
  silent:
    'Your bank has sent nothing for a week. Manage your bank connection to see whether it wants something of you.',
  'ran out': 'Nothing is rounded up or debited until you renew it.',
  withdrawn: 'As you asked, nothing is collected or debited.',
};

/** What the supporter may do about it, in words. */
export function adviceOf({ state, dataOn }: Health): string | undefined {
  // What was recorded is still here, so that what was bought meanwhile can be told from what counted already.
  if (state === 'ran out' && dataOn) return `${advice[state]} What you bought meanwhile is then rounded up, once.`;
  return advice[state];
}

export const wantsRenewal = ({ state }: Health): boolean => state === 'ends soon' || state === 'ran out';

const lines: Partial<Record<ConsentHealth, string>> = {
  'ends soon': 'Your bank connection ends soon.',
  silent: 'Your bank has sent nothing for a week.',
  'ran out': 'Your bank connection has ended.',
};

/** The quiet line of the dashboard; none while there is nothing to do. */
export const lineOf = ({ state }: Health): string | undefined => lines[state];
