import { cents, formatCents } from './money.ts';

/** Details of the audit log that are amounts in cents. */
const amounts = /cents$|^(floor|limit|savings|step)$/i;

/** Returns a detail of the audit log as it is read: "$2.00" for the step 200. */
export const auditDetail = (name: string, value: unknown): string =>
  typeof value === 'number' && amounts.test(name) ? formatCents(cents(value)) : String(value);
