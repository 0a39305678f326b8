import type { UserRecord } from '@sparechange/contract';
import { type ConsentHealth, isoDate, shortDay } from '@sparechange/domain';

type Health = UserRecord['consentHealth'];

const advice: Partial<Record<ConsentHealth, string>> = {
  'ends soon': "Renew before then and you won't miss a round-up.",
  'bank ends soon': "One step is left: confirm at your bank before then and you won't miss a round-up.",
  'bank ended': 'Your bank has stopped sharing, so nothing is rounded up until you confirm it there.',
  silent: 'Your bank has sent nothing for a week. Manage your bank connection to see if it needs something from you.',
  expired: 'Nothing is rounded up or debited until you renew it.',
  withdrawn: 'As you asked, nothing is collected or debited.',
};

/** Returns the supporter's next step, in words. */
export function adviceOf({ state, dataOn }: Health): string | undefined {
  // Recorded round-ups are still here, so purchases made in the gap are not confused with those already counted.
  const isFilled = (state === 'expired' || state === 'bank ended') && dataOn;
  return isFilled ? `${advice[state]} Then we'll catch up on what you bought in between.` : advice[state];
}

const actions: Partial<Record<ConsentHealth, string>> = {
  'ends soon': 'Renew Consent',
  expired: 'Renew Consent',
  'bank ends soon': 'Confirm at Your Bank',
  'bank ended': 'Confirm at Your Bank',
};

/** The button for the renewal's due step; undefined while none is due. */
export const actionOf = ({ state }: Health): string | undefined => actions[state];

const lines: Partial<Record<ConsentHealth, string>> = {
  'bank ended': 'Your bank has stopped sharing.',
  silent: 'Your bank has sent nothing for a week.',
  expired: 'Your bank connection has ended.',
};

const onDay = (day: string | null): string => (day ? `on ${shortDay(isoDate(day)).replaceAll(' ', '\u00a0')}` : 'soon');

/** Returns the dashboard's line, with the last day where one is near; undefined while there is nothing to do. */
export function lineOf({ state, endsOn, bankEndsOn }: Health): string | undefined {
  if (state === 'ends soon') return `Your bank connection ends ${onDay(endsOn)}.`;
  if (state === 'bank ends soon') return `Your bank stops sharing ${onDay(bankEndsOn)}.`;
  return lines[state];
}
