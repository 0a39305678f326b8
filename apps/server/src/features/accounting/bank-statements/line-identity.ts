import { createHash } from 'node:crypto';
import { withoutAccountNumbers } from '@sparechange/domain';
import type { StatementLine } from './statement-file.ts';
import { trustedId } from './trusted-id.ts';

export interface IdentifiedLine extends StatementLine {
  /** The bank's id, or else one of the content, with its place among equals of the file. */
  id: string;
  /** The bank's id, if it is an identity. */
  bankId: string | undefined;
  /** Key of the line's day, amount and words. */
  contentId: string;
  /** Key of the words with all the file's blanks, as lines were known before blanks were folded. */
  rawContentId: string;
  /** Words without numbers of others' accounts. */
  text: string;
  /** Full text of the line, as stored, without such numbers. */
  description: string;
  /** Our own reference, if the line names one. */
  reference: string | null;
}

const hashOf = (words: string): string => createHash('sha256').update(words).digest('hex').slice(0, 32);

/** Words of ASCII with single blanks, as most are: they are folded already. */
const isFolded = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Normalises words across a bank's exports: each gap is one blank, each letter one character. */
export const folded = (text: string): string =>
  isFolded.test(text)
    ? text
    : text
        .normalize('NFC')
        .split(/[\s\p{Cc}\p{Cf}]+/u)
        .filter(Boolean)
        .join(' ');

const maxDescription = 500;

const kept = (text: string): string => withoutAccountNumbers(folded(text)).slice(0, maxDescription).toWellFormed();

/**
 * Identifies each line in every file of its bank: by the bank's own id, if it is one, else by day, amount and words. An
 * id that lines of one file share with other words or amounts, such as a transfer and its fee, is none.
 */
export function identifyLines(lines: readonly StatementLine[]): IdentifiedLine[] {
  const identified = lines.map(identify);
  const ofId = Map.groupBy(identified, ({ bankId }) => bankId);
  const isShared = (bankId: string | undefined) =>
    new Set(ofId.get(bankId)?.map(({ contentId }) => contentId)).size > 1;
  const shared = new Set([...ofId.keys()].filter(isShared));
  const places = new Map<string, number>();
  return identified.map((line) => {
    const bankId = shared.has(line.bankId) ? undefined : line.bankId;
    const own = bankId === undefined ? line.contentId : line.id;
    const place = (places.get(own) ?? 0) + 1;
    places.set(own, place);
    return { ...line, bankId, id: place === 1 ? own : `${own}#${place}` };
  });
}

function identify(line: StatementLine): IdentifiedLine {
  const { id = '', bookedOn, cents, text, further = '' } = line;
  const said = (words: string) => hashOf([bookedOn, cents, words].join('|'));
  const words = folded(text);
  const contentId = said(words);
  return {
    ...line,
    id,
    bankId: trustedId(id),
    contentId,
    rawContentId: words === text ? contentId : said(text),
    text: kept(text),
    description: kept(`${text} ${further}`),
    reference: referenceIn(text) ?? referenceIn(further),
  };
}

/** Returns the bank's id of a stored line; undefined for a line known by its words. */
export function bankIdOfKept(lineId: string): string | undefined {
  const base = lineId.replace(/#\d{1,6}$/, '');
  return /^[0-9a-f]{32}$/.test(base) ? undefined : trustedId(base);
}
/** First two letters of our references: debits, payouts to clubs, to savings, and repayments. */
const prefixes = ['RU', 'CL', 'SV', 'RF'];
const referencePattern = /^[A-Z]{2}[0-9A-F]{16}$/;
const gluedPattern = new RegExp(`(?:${prefixes.join('|')})[0-9A-F]{16}`);

/**
 * Finds our payment reference, two letters and sixteen hexadecimal digits: as a word, or else as banks print it,
 * between other letters or broken by blanks.
 */
function referenceIn(text: string): string | null {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/);
  const whole = words.find((word) => referencePattern.test(word));
  const inOneWord = () => words.flatMap((word) => gluedPattern.exec(word)?.[0] ?? [])[0];
  return whole ?? inOneWord() ?? gluedPattern.exec(words.join(''))?.[0] ?? null;
}
