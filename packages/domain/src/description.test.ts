import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanedText, described, historyDescription, merchantName, merchantText } from './description.ts';
import { maskAccountNumber } from './masking.ts';

test.each([
  ['MISCELLANEOUS DEBIT V1234 24/10 FERNDALE VIDEO 70000000001', 'FERNDALE VIDEO 70000000001'],
  ['EFTPOS DEBIT EFTPOS 18/11 11:30 GROCER 4419', '11:30 GROCER 4419'],
  ['VISA DEBIT PURCHASE CARD 1234 12/03 GREENLEAF FOODS 1234 SYDNEY AU', 'GREENLEAF FOODS 1234 SYDNEY AU'],
  ['VISA DEBIT PURCHASE CARD 1633 TRAM FARES MELBOURNE', 'VISA DEBIT PURCHASE CARD 1633 TRAM FARES MELBOURNE'],
  [
    'OWENS BAKERY CAFE VI AUS Card xx1234 Value Date: 22/10/2019',
    'OWENS BAKERY CAFE VI AUS Card xx1234 Value Date: 2...',
  ],
  ['DEBIT CARD PURCHASE GREENLEAF 2741 TOWNSVILLE AUS', 'DEBIT CARD PURCHASE GREENLEAF 2741 TOWNSVILLE AUS'],
  ['NOODLE HUT - Visa Purchase - Date 10 Aug 2022', 'NOODLE HUT - Visa Purchase - Date 10 Aug 2022'],
  ['EFTPOS FUEL ROCKBANK 14/09', 'EFTPOS FUEL ROCKBANK 14/09'],
  ['CARD 24/11 ', 'CARD 24/11'],
  ['A 01/02 B 03/04 C', 'B 03/04 C'],
  ['LINE ONE\n24/11 LINE TWO', 'LINE TWO'],
  ['', ''],
])('%j is shown as %j', (description, shown) => {
  expect(historyDescription(description)).toBe(shown);
});

test('fifty letters are shown whole, more are cut after fifty', () => {
  expect(historyDescription('x'.repeat(50))).toBe('x'.repeat(50));
  expect(historyDescription('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`);
});

test('a letter outside the basic alphabet is never cut in two', () => {
  expect(historyDescription('🍰'.repeat(60))).toBe(`${'🍰'.repeat(50)}...`);
});

test('what is shown is never longer than fifty letters and three dots, and nothing only where there was nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (description) => {
      const shown = historyDescription(description);
      expect(Array.from(shown).length).toBeLessThanOrEqual(53);
      expect(shown === '').toBe(description.trim() === '');
    }),
  );
});

test.each([
  ['Corner  Cafe ', 'CORNER CAFE'],
  ['CARD 1234 24/11 corner\tcafe', 'CORNER CAFE'],
  ['ｃｏｒｎｅｒ cafe', 'CORNER CAFE'],
])('%j is the same purchase as %j', (description, cleaned) => {
  expect(cleanedText(description)).toBe(cleaned);
});

/** A text in capitals with a bank's possible spelling. */
const statementText = fc
  .tuple(
    fc.array(fc.stringMatching(/^[A-Z]{1,8}$/), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(' ', '  ', '\t', '\n ', '\u00a0'),
    fc.constantFrom('', 'EFTPOS 18/11 ', 'VISA CARD 1234 12/03 '),
  )
  .chain(([words, blank, prefix]) =>
    fc.record({
      text: fc.constant(words.join(' ')),
      written: fc.mixedCase(fc.constant(words.join(blank))).map((mixed) => `${prefix}${blank}${mixed}${blank}`),
    }),
  );

test('case, blanks and the prefix with the date make no other purchase of a text', () => {
  fc.assert(
    fc.property(statementText, ({ text, written }) => {
      expect(cleanedText(written)).toBe(text);
      expect(cleanedText(text)).toBe(text);
    }),
  );
});

test.each([
  ['12345678', 'XXXX5678'],
  ['123456789012', 'XXXXXXXX9012'],
  ['1234', '1234'],
])('the account number %s is shown as %s', (number, masked) => {
  expect(maskAccountNumber(number)).toBe(masked);
});

test('a masked number keeps its length and shows its last four digits alone', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4,12}$/), (number) => {
      const masked = maskAccountNumber(number);
      expect(masked).toHaveLength(number.length);
      expect(masked.slice(-4)).toBe(number.slice(-4));
      expect(masked.slice(0, -4)).toMatch(/^X*$/);
    }),
  );
});

test.each([
  ['VISA DEBIT PURCHASE CARD 4471 24/11 RIVERSIDE COFFEE SYDNEY AU', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['REV VISA DEBIT PURCHASE CARD 4471 RIVERSIDE COFFEE SYDNEY AU', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['Refund Purchase  Riverside Coffee Sydney AU', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['Riverside Coffee Sydney AU Card xx4471 Value Date: 24/11/2026', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['Riverside Coffee Sydney AU Card xx4471', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['CREDIT CARD 4471 RIVERSIDE COFFEE SYDNEY AU', 'RIVERSIDE COFFEE SYDNEY AU'],
  ['Cardigan Shop', 'CARDIGAN SHOP'],
  ['POST OFFICE', 'POST OFFICE'],
  ['EFTPOS', 'EFTPOS'],
])('the merchant of "%s"', (description, merchant) => expect(merchantText(description)).toBe(merchant));

test('every text has a merchant', () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (description) => {
      fc.pre(description.trim() !== '');
      expect(merchantText(description)).not.toBe('');
    }),
  ));

test.each([
  ['VISA PURCHASE 19/11 GROUND UP COFFEE SURRY HILLS', 'Ground Up Coffee Surry Hills'],
  ['VISA DEBIT PURCHASE CARD 4471 24/11 RIVERSIDE COFFEE SYDNEY AU', 'Riverside Coffee Sydney'],
  ['EFTPOS 18/11 11:30 WOOLWORTHS 1294 MARRICKVILLE NSW AUS', 'Woolworths Marrickville'],
  ['SQ *MORNING TIDE ESPRESSO BONDI AU', 'Morning Tide Espresso Bondi'],
  ['PAYPAL *BOOKSHOP 4029357733', 'Bookshop'],
  ["KFC MCDONALD'S CO-OP", "KFC Mcdonald's Co-Op"],
  ['BP #0412', 'BP'],
  ['7-ELEVEN 2041 SYDNEY', '7-Eleven Sydney'],
  ['EFTPOS 70000000001', 'EFTPOS 70000000001'],
  ['24/11 ', '24/11'],
])('"%s" is named "%s"', (description, name) => expect(merchantName(description)).toBe(name));

test('every line has a name, of at most fifty letters and three dots', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (description) => {
      const name = merchantName(description);
      expect(Array.from(name).length).toBeLessThanOrEqual(53);
      expect(name === '').toBe(description.trim() === '');
    }),
  ));

test.each(['', '   ', '\u200b', '\u2800'])('a line of %j has a name all the same', (description) => {
  expect(described(description)).toBe('No description');
});

test('any sign that can be seen is a description', () => {
  for (const text of ['A', '-', '7', '🧋']) expect(described(text)).toBe(text);
});
