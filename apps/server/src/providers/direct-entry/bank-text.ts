/** Letters that do not decompose into a letter and mark. */
const spelled: Record<string, string> = {
  ß: 'SS',
  æ: 'AE',
  Æ: 'AE',
  œ: 'OE',
  Œ: 'OE',
  ø: 'O',
  Ø: 'O',
  đ: 'D',
  Đ: 'D',
  ð: 'D',
  Ð: 'D',
  ł: 'L',
  Ł: 'L',
  þ: 'TH',
  Þ: 'TH',
  ı: 'I',
};

/**
 * A text in the letters that every bank takes: capitals, digits, space, full stop and hyphen. Banks' own lists differ
 * (docs/rules.md#bank-files); marks are dropped, an apostrophe closes up, everything else becomes a space.
 */
export function bankText(text: string): string {
  return text
    .replace(/[ßæÆœŒøØđĐðÐłŁþÞı]/g, (letter) => spelled[letter] ?? ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’‘`]/g, '')
    .toUpperCase()
    .replace(/[^A-Z0-9 .-]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

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
