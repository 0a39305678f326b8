/** Apostrophes as keyboards, phones and banks write them, and marks that stand in for them. */
const apostrophes = /['`´ʹʻʼˈ‘’‛′＇]/gu;
const accents = /[\u0300-\u036f]/gu;
const dashes = /[-‐‑‒–—―−]/gu;

/** Letters that no decomposition takes apart. */
const baseForms: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
};
const undecomposed = new RegExp(`[${Object.keys(baseForms).join('')}]`, 'gu');

/**
 * Returns the form in which texts are compared by a search: lower case, without accents and apostrophes, a space for a dash.
 * The SQL function of this name does the same (docs/rules.md#comparing-names).
 */
export const folded = (text: string): string =>
  text
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(apostrophes, '') // a full-width grave accent becomes a plain one
    .replace(accents, '')
    .toLowerCase()
    .replace(undecomposed, (letter) => baseForms[letter] ?? letter)
    .replace(dashes, ' ');

/** Returns whether a text contains another, both folded. */
export const hasFolded = (text: string, search: string): boolean => folded(text).includes(folded(search.trim()));
