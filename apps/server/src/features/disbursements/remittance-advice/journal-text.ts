import { type Cents, dollars, type IsoDate } from '@sparechange/domain';

export interface JournalTransaction {
  day: IsoDate;
  title: string;
  /** Names and values of remarks, such as the id of the cause. */
  remarks: [name: string, words: string | null][];
  /** Positive is a debit, negative a credit. */
  legs: { account: string; cents: Cents; remark?: string }[];
}

/** Longest value of a remark. */
const maxRemark = 200;

/**
 * Returns words that beancount, ledger and hledger take for a remark and nothing else: in brackets a day would be a
 * posting's, before a colon a word would be a tag, and hledger reads only ASCII without a locale.
 */
export const remarkText = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[^A-Za-z\d ,.'$()/_+%&#@-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxRemark);

const remarkLine = ([name, words]: [string, string | null]): string[] => {
  const text = remarkText(words ?? '');
  return text ? [`  ; ${name}: ${text}\n`] : [];
};

const legRemark = (words = ''): string => (remarkText(words) ? `  ; ${remarkText(words)}` : '');

/**
 * Writes transactions as beancount, ledger and hledger read alike: explicit amounts of two decimals, and each account
 * opened before its first use.
 */
export class JournalText {
  readonly #opened = new Set<string>();

  /** Returns a transaction with the openings that it needs. */
  transaction({ day, title, remarks, legs }: JournalTransaction): string {
    const opened = [...new Set(legs.map(({ account }) => account))].filter((account) => !this.#opened.has(account));
    for (const account of opened) this.#opened.add(account);
    return [
      ...opened.map((account) => `${day} open ${account}\n`),
      `${day} * "${title}"\n`,
      ...remarks.flatMap(remarkLine),
      ...legs.map(({ account, cents, remark }) => `  ${account}  ${dollars(cents)} AUD${legRemark(remark)}\n`),
      '\n',
    ].join('');
  }
}
