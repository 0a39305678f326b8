/** The bank's requirements for its files (docs/going-live.md says whom to ask). */
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
  /** True if the last record balances the file; some banks demand it, others add it themselves. */
  isBalanced: boolean;
  /** The most detail records a file may have, the balancing one included. */
  maxRecords: number;
  /** Banking days between the writing of a file and its process day. */
  leadDays: number;
  /** After so many banking days without a return an order counts as cleared (docs/rules.md#clearing-without-news). */
  clearingDays: number;
  /** Where files are put for the bank. */
  folder: string;
  /** The word that the bank has a file: the operator's, or none where the bank's own program fetches the folder. */
  lodging: 'by operator' | 'when written';
  /** Our name on the payee's statement where an order gives none. */
  statementName: string;
}
