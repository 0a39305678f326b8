import type { ClubPayout } from '@sparechange/contract/console';

type State = ClubPayout['state'];

/** Names the outcome of a payout to a club, for its treasurer and for the organisation. */
export const payoutStates: Record<State, string> = {
  planned: 'About to be sent',
  submitting: 'About to be sent',
  submitted: 'On its way',
  cleared: 'Arrived',
  returned: 'Did not arrive',
  reversed: 'Did not arrive',
  refused: 'Did not arrive',
};

export const hasFailed = (state: State): boolean => state === 'returned' || state === 'reversed' || state === 'refused';
