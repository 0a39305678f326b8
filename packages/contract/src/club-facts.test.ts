import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clubFacts } from './club-facts.ts';

type Fact = keyof typeof clubFacts;

const read: [Fact, string, string | number | null][] = [
  ['name', ' Bay Rovers ', 'Bay Rovers'],
  ['slug', ' bay-rovers ', 'bay-rovers'],
  ['parentId', 'B0B0B0B0-0000-4000-8000-000000000001', 'b0b0b0b0-0000-4000-8000-000000000001'],
  ['abn', '51 824 753 556', '51824753556'],
  ['abn', '51\u00a0824753 556', '51824753556'],
  ['contactEmail', ' Sam@Bay.example ', 'sam@bay.example'],
  ['about', ' Football by the bay. ', 'Football by the bay.'],
  ['goalDollars', '$5,000', 5000],
  ['goalDollars', '999,999,999', 999_999_999],
  ['logo', 'rovers.svg', 'rovers.svg'],
  ['picture', 'oval.webp', 'oval.webp'],
  ['suburb', '  ', null],
  ['goalDollars', '', null],
  ['parentId', '', null],
];

test.each(read)('%s typed as "%s" is %j, which may be saved', (fact, typed, value) => {
  expect(clubFacts[fact].typed.parse(typed)).toBe(value);
  expect(clubFacts[fact].given.parse(value)).toBe(value);
});

const refused: [Fact, string, string][] = [
  ['name', ' ', 'Please enter a name'],
  ['name', 'x'.repeat(121), 'Please use at most 120 characters'],
  ['slug', 'Bay!', 'Please use 2 to 80 of a-z, 0-9 and hyphens'],
  ['slug', 'login', 'That is an address of the product'],
  ['parentId', 'league', 'A parent is given by its id'],
  ['abn', '5182475355', 'An ABN has eleven digits, the first of them 1 to 9'],
  ['abn', '51824753557', 'The check digits of the ABN are wrong'],
  ['contactEmail', 'nobody', 'Please enter an email address'],
  ['about', 'by the\nbay', 'Please use plain characters only'],
  ['about', 'x'.repeat(601), 'Please use at most 600 characters'],
  ['suburb', '\u200b', 'Please use plain characters only'],
  ['logo', 'photo.png', 'Please choose an SVG file'],
  ['picture', '../oval.svg', 'Please choose an SVG, WebP, JPG or PNG file'],
];

test.each(refused)('%s of "%s" is refused, typed or given: %s', (fact, value, sentence) => {
  for (const schema of [clubFacts[fact].typed, clubFacts[fact].given])
    expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toContain(sentence);
});

test.each([
  ['0', 0, 'Please enter whole dollars'],
  ['5000.50', 5000.5, 'Please enter whole dollars'],
  ['1,000,000,000', 1_000_000_000, 'Please enter at most $999,999,999'],
])('a goal of %s is refused, typed or given', (typed, given, sentence) => {
  const { goalDollars } = clubFacts;
  const messages = [goalDollars.typed.safeParse(typed), goalDollars.given.safeParse(given)].map(
    ({ error }) => error?.issues[0]?.message,
  );
  expect(messages).toEqual([sentence, sentence]);
});

test('each text that a form reads may be saved as it was read', () => {
  const fact = fc.constantFrom<Fact>('name', 'slug', 'abn', 'contactEmail', 'about', 'suburb', 'sport', 'logo');
  const typed = fc.oneof(fc.string(), fc.emailAddress(), fc.stringMatching(/^ ?[A-Za-z0-9-]{2,20}(\.svg)? ?$/));
  fc.assert(
    fc.property(fact, typed, (fact, typed) => {
      const { success, data } = clubFacts[fact].typed.safeParse(typed);
      if (success) expect(clubFacts[fact].given.parse(data)).toBe(data);
    }),
  );
});

test('a fact that a form leaves out is none, except for name and link', () => {
  const missing = Object.entries(clubFacts).filter(([, { typed }]) => !typed.safeParse(undefined).success);
  expect(missing.map(([fact]) => fact)).toEqual(['name', 'slug']);
});

test('no two facts have a column or words in common', () => {
  const facts = Object.values(clubFacts);
  expect(new Set(facts.map(({ column }) => column)).size).toBe(facts.length);
  expect(new Set(facts.map(({ words }) => words)).size).toBe(facts.length);
});
