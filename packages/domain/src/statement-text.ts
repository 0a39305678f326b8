/** Characters a payer's statement shows; the rest serves returns. */
const shownOfReference = 9;

/** Returns the text of a debit on the payer's statement; banks put words of their own before it. */
export const statementText = (statementName: string, reference: string): string =>
  `${statementName.toUpperCase()} ${reference.slice(0, shownOfReference)}`;
