import { bankText } from './bank-text.ts';

/** Characters of an account title in a bank file. */
const titleLength = 32;

/**
 * Whose account it is, as it stands in a bank file. Of a name that is too long the first words become initials, as many
 * as it takes; undefined where it does not fit even so. Nothing is cut off.
 */
export function accountTitle(name: string): string | undefined {
  const words = bankText(name).split(' ');
  const titles = words.map((_, initials) =>
    words.map((word, place) => (place < initials ? word.slice(0, 1) : word)).join(' '),
  );
  const title = titles.find(({ length }) => length <= titleLength);
  return title === '' ? 'ACCOUNT HOLDER' : title;
}
