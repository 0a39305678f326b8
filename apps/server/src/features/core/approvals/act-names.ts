/** Codes of the acts that need a second person's decision. */
export const actNames = [
  'debit_run',
  'tenant_resume',
  'refund',
  'write_off',
  'ledger_correction',
  'statement_line_match',
  'api_key',
  'api_key_rotation',
  'club_bank_details',
  'console_roles',
  'one_person',
] as const;
export type ActName = (typeof actNames)[number];
