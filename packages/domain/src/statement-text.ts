/** Banks show so much of a reference on the payer's statement (the rest is for the return). */
const shownOfReference = 9;

/** What stands on the payer's bank statement of a debit; banks put words of their own before it. */
export const statementText = (statementName: string, reference: string): string =>
  `${statementName.toUpperCase()} ${reference.slice(0, shownOfReference)}`;
