import { nameOfAccount } from './masking.ts';
import { cents, formatCents } from './money.ts';

/** Details of the audit log that are amounts in cents. */
const amounts = /cents$|^(amount|confirmed|floor|limit|savings|step)$/i;

/** A command's option is kept as it was typed: its limit counts rows, where a supporter's is a number of cents. */
const isRowCount = (name: string, value: unknown) => name === 'limit' && typeof value === 'string';

/** Values that are codes of ours, such as accounts of the ledger. */
const code = /^[a-z]+(_[a-z]+)+$/;

/** Returns a detail of the audit log as it is read: "$2.00" for the step 200, "operator funds" for that account. */
export function auditDetail(name: string, value: unknown): string {
  const text = String(value);
  if (amounts.test(name) && !isRowCount(name, value) && /^-?\d+$/.test(text)) return formatCents(cents(Number(text)));
  if (name === 'account') return nameOfAccount(text);
  return code.test(text) ? text.replaceAll('_', ' ') : text;
}
