import type { DirectEntrySettings } from '../direct-entry/settings.ts';

/** Settings of an invented bank: files are processed the day they are written and clear after three banking days. */
export const someSettings = (folder: string, overrides: Partial<DirectEntrySettings> = {}): DirectEntrySettings => ({
  bank: 'WBC',
  userName: 'SPARECHANGE PTY LTD',
  userId: '123456',
  traceBsb: '032000',
  traceAccount: '123456',
  isBalanced: true,
  maxRecords: 500,
  leadDays: 0,
  clearingDays: 3,
  folder,
  lodging: 'by operator',
  statementName: 'SPARECHANGE',
  ...overrides,
});
