import { bankText } from './bank-text.ts';

/** Characters of an account title in a bank file. */
const titleLength = 32;

/**
 * Returns the account title for a bank file. Of a long name the first words become initials; undefined where it does
 * not fit even so. Nothing is cut off.
 */
export function accountTitle(name: string): string | undefined {
  const words = bankText(name).split(' ');
  const titles = words.map((_, initials) =>
    words.map((word, place) => (place < initials ? word.slice(0, 1) : word)).join(' '),
  );
  const title = titles.find(({ length }) => length <= titleLength);
  return title === '' ? 'ACCOUNT HOLDER' : title;
}
