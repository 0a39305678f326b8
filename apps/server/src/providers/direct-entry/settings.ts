import type { BankFiles } from '#ports/bank-files.ts';

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
  lodging: BankFiles['lodging'];
  /** Our name on payees' statements where an order gives none. */
  statementName: string;
}
