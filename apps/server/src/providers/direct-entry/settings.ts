/** The bank's requirements for its files (docs/going-live.md). */
export interface DirectEntrySettings {
  /** The bank's abbreviation, three letters. */
  bank: string;
  /** As registered with the bank, at most 26 characters. */
  userName: string;
  /** The direct entry user id, six digits. */
  userId: string;
  /** Our own account: collected into, paid from, returned to. */
  traceBsb: string;
  traceAccount: string;
  /** True if the last record balances the file; banks differ. */
  isBalanced: boolean;
  /** Most detail records in a file, the balancing one included. */
  maxRecords: number;
  /** Banking days between writing a file and its process day. */
  leadDays: number;
  /** Banking days without a return until an order clears (docs/rules.md#clearing-without-news). */
  clearingDays: number;
  /** Where files are put for the bank. */
  folder: string;
  /** The word that the bank has a file: the operator's, or none where the bank's own software fetches the folder. */
  lodging: 'by operator' | 'when written';
  /** Our name on payees' statements where an order gives none. */
  statementName: string;
}
