import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountTitle, bankText } from './bank-text.ts';

test.each([
  ['Joan Smith', 'JOAN SMITH'],
  ['Maximilian Bartholomew Featherston', 'M BARTHOLOMEW FEATHERSTON'],
  ['Maria-José Ana Fernández de la Cruz y González', 'M A F DE LA CRUZ Y GONZALEZ'],
  ['Friends of the North Brunswick Community Football Club', 'F O T N B C FOOTBALL CLUB'],
  ['李小龙', 'ACCOUNT HOLDER'],
  ['A'.repeat(32), 'A'.repeat(32)],
  ['A'.repeat(33), undefined],
  [`Jo ${'A'.repeat(31)}`, undefined],
])('%s has the title %s', (name, title) => expect(accountTitle(name)).toBe(title));

test('a title fits, and every word of it is whole or, before the whole ones, an initial', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (name) => {
      const words = bankText(name.join(' ')).split(' ');
      const title = accountTitle(name.join(' '));
      fc.pre(title !== undefined && words[0] !== '');
      const shown = (title ?? '').split(' ');
      expect(title?.length).toBeLessThanOrEqual(32);
      expect(shown.length).toBe(words.length);
      const firstWhole = shown.findLastIndex((each, place) => each !== words[place]) + 1; // a word of one letter is whole
      for (const [place, each] of shown.entries()) {
        expect(each).toBe(place < firstWhole ? words[place]?.slice(0, 1) : words[place]);
      }
    }),
  );
});
