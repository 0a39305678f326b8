/** Placeholders of banks without ids, or of failed spreadsheet formulas, without blanks and punctuation. */
const placeholders = new Set([
  ...[
    'NONREF',
    'NOREF',
    'NOREFERENCE',
    'NOTPROVIDED',
    'NOTPROVIDE',
    'NOTAVAILABLE',
    'NOTAVAIL',
    'NOTGIVEN',
    'NOTSPECIFIED',
  ],
  ...[
    'NOTAPPLICABLE',
    'NONE',
    'NIL',
    'NULL',
    'NA',
    'NAN',
    'UNDEFINED',
    'UNKNOWN',
    'UNSPECIFIED',
    'DEFAULT',
    'BLANK',
    'EMPTY',
  ],
  ...['TBA', 'TBC', 'TBD', 'NOID', 'NOTUSED', 'REF', 'REFERENCE', 'VALUE', 'NAME', 'ID', 'TRUE', 'FALSE'],
]);

/** A number that a spreadsheet shortened to a power of ten, such as 2.02611E+15. */
const shortened = /^[+-]?\d{1,20}(?:[.,]\d{0,20})?E[+-]?\d{1,3}$/i;

/** Spreadsheets keep 15 digits of a number and write zeros for the rest. */
const rounded = /^\d{15}0{1,25}$/;

/**
 * Returns a bank's id in a form that a spreadsheet leaves alone, by which a line is recognised in each file; undefined
 * for one that is no identity.
 */
export function trustedId(id: string): string | undefined {
  const written = id.trim().replace(/\.0{1,9}$/, '');
  const letters = written.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (placeholders.has(letters) || /^(?:0*|X*)$/.test(letters)) return undefined;
  if (shortened.test(written) || rounded.test(written)) return undefined;
  return /^\d+$/.test(written) ? written.replace(/^0+/, '') : written;
}
