/** Tells the person how to get a file in a supported format. */
const exportAgain = 'Export the days from the bank as camt.053, MT940, OFX or CSV, and choose that file.';

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, place) => bytes[place] === byte);

const inZip = 2_000;

/** Names the format of a binary file, with its remedy; undefined for a file that may be text. */
export function otherFormatOf(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const names = Buffer.from(bytes.subarray(0, inZip)).toString('latin1');
    return names.includes('[Content_Types].xml') || names.includes('xl/')
      ? 'This is an Excel workbook. Save the sheet as CSV, with ids as text.'
      : 'This is a ZIP archive. Take the statement out of it, and choose that file.';
  }
  if (startsWith(bytes, [0x1f, 0x8b])) return 'This is a file packed with gzip. Unpack it, and choose what is in it.';
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'This is an old Excel workbook. Save the sheet as CSV.';
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) return `This is a PDF. ${exportAgain}`;
  return undefined;
}

/** A bank's format, recognised by the beginning of its files. */
const otherTexts: readonly [RegExp, string][] = [
  [/^!(?:Type|Account|Option|Clear)\b/i, 'This is a QIF file, as for Quicken.'],
  [/^0 {17}\d\d[A-Z]{3} /, 'This is a file of direct entries, which orders payments or returns them.'],
  [
    /<html\b|<!doctype html/i,
    'This is a web page, perhaps of a session with the bank that has ended: sign in there again.',
  ],
  [/^[[{]/, 'This is JSON.'],
  [/^\{\\rtf/i, 'This is a document of a word processor.'],
];

/** Names the format of a text that is no statement by its beginning, with the remedy; undefined for any other text. */
export function otherTextOf(start: string): string | undefined {
  const [, name] = otherTexts.find(([pattern]) => pattern.test(start)) ?? [];
  return name && `${name} ${exportAgain}`;
}

/** Messages of ISO 20022 by the element below their `Document`. */
const otherMessages: Record<string, string> = {
  BkToCstmrAcctRpt: 'This is a camt.052 report of a day under way, whose entries may still change.',
  BkToCstmrDbtCdtNtfctn: 'This is a camt.054 notification of single entries, without balances.',
  CstmrCdtTrfInitn: 'This is a pain.001 order to pay.',
  CstmrDrctDbtInitn: 'This is a pain.008 order to collect.',
  CstmrPmtStsRpt: 'This is a pain.002 report of payments ordered.',
};

/** Names a message of ISO 20022 other than camt.053, with its remedy; undefined for an unknown message. */
export const otherMessageOf = (elements: readonly string[]): string | undefined => {
  const name = elements.find((element) => Object.hasOwn(otherMessages, element));
  return name && `${otherMessages[name]} ${exportAgain}`;
};
