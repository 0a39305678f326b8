/** Figures that are read every few seconds while somebody follows them. */
export type FollowedFigures = 'today' | 'approvals' | 'runs';

/**
 * Changes that an answer follows: of figures, or of rows in these tables. `nothing` is for an answer that no page keeps in
 * sight, that somebody edits, or that comes from another service.
 */
export type Follows = FollowedFigures | readonly string[] | 'nothing';

/** Returns whether an answer is refetched when it may have changed, while a page shows it. */
export const isFollowed = ({ follows = 'nothing' }: { follows?: Follows }): boolean => follows !== 'nothing';

/** Stands for every table with rows about a supporter. */
export const tablesOfSupporters = 'tables of supporters';

export const clubBalances = ['clubs', 'club_balances', 'ledger_entries', 'closed_days'];
export const supporterFigures = ['clubs', 'supporters', 'club_supporters', 'club_balances', 'club_entries'];
export const clubFigures = [...supporterFigures, 'club_figures'];
export const webhookTables = ['clubs', 'webhook_endpoints', 'webhook_deliveries'];
