import type { CsvRow } from '#csv.ts';

/** First columns of banks' exports, by which each bank is told; their order is the bank's. */
const beginnings: readonly [string, readonly string[]][] = [
  ['Westpac', ['bank_account', 'date', 'narrative', 'debit_amount', 'credit_amount']],
  ['Westpac', ['tran_date', 'account_no']],
  ['Westpac', ['transaction_date', 'account_number', 'account_name', 'currency_code', 'closing_balance']],
  ['NAB', ['date', 'amount', 'account_number', '', 'transaction_type', 'transaction_details']],
  ['Macquarie', ['transaction_date', 'details', 'account', 'category', 'subcategory']],
  ['ING', ['date', 'description', 'credit', 'debit', 'balance']],
];

/**
 * Returns the bank that exports such columns; undefined if they do not tell. The rows are those of a file without names
 * of columns: CommBank alone writes balances there.
 */
export function bankOf(columns: readonly string[], nameless?: readonly Pick<CsvRow, 'cells'>[]): string | undefined {
  const [bank] = beginnings.find(([, names]) => names.every((name, place) => columns[place] === name)) ?? [];
  if (bank || !nameless) return bank;
  return nameless.some(({ cells }) => cells[3]) ? 'CommBank' : 'ANZ or Bendigo';
}
