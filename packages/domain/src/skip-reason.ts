/** Reasons to leave out a supporter with something to debit. */
export type SkipReason =
  | 'paused'
  | 'no consent'
  | 'no funding account'
  | 'campaign ended'
  | 'tenant suspended'
  | 'on hold'
  | 'debit parked'
  | 'below minimum'
  | 'over ceiling'
  | 'skipped'
  | 'already planned';
