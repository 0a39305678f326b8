import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ClubForm } from './console/clubs.ts';
import { createApiKey } from './console/developers.ts';
import { holdSupporter } from './console/supporter-acts.ts';
import { ClubChanges } from './programs.ts';
import { text } from './text.ts';

const line = text(200).trim().min(1);
const takes = (given: string): boolean => line.safeParse(given).success;

const hidden = [
  ...'\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\u206f\u2800\u3164\ufeff\uffa0\ufff9',
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u{1bca0}\u{1d173}\u{e0001}\u{e0041}',
];
const code = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;

test.each(hidden.map((character) => [code(character), character]))(
  '%s is refused, alone or within a name',
  (_, character) => {
    expect(takes(character)).toBe(false);
    expect(takes(`Riverside${character}Rovers`)).toBe(false);
  },
);

test.each(['', ' ', '\u00a0\u2003\u3000', '\u200d', '\u200c\u200d', '\ufe0f', '\u0301', '\u034f\u034f'])(
  '"%s" is refused: it shows nothing',
  (given) => expect(takes(given)).toBe(false),
);

test.each([
  'Spare\u200dchange',
  'Spare\u200cchange',
  'Река\u200d',
  '李\u200d明',
  '-\u200d',
  'Spare\ufe0fchange',
  'Spare\u034fchange',
  'علی\u200c\u200cرضا',
])('"%s" is refused: its joiner or variation selector has nothing to change', (given) =>
  expect(takes(given)).toBe(false),
);

test.each([
  "Zoë O'Brien-Nguyen",
  'Zoe\u0308',
  'Nguyê\u0303n',
  'علی\u200cرضا',
  'عُمَر',
  'क\u094d\u200dष',
  'র\u200d\u09cdযাব',
  'മോഹന\u0d4d\u200d',
  'ක\u0dca\u200dරි',
  '김민수',
  '葛\u{e0100}城',
  'שָׁלוֹם',
  '👩\u200d👩\u200d👧 Family Club',
  '❤\ufe0f\u200d🔥',
  '👩🏽\u200d🚒',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '🏴\u200d☠\ufe0f',
  '1\ufe0f\u20e3 team',
  '$5 & more…',
])('"%s" is text', (given) => expect(takes(given)).toBe(true));

test('what is taken shows something, and nothing in it turns the line', () =>
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(...hidden), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
        maxLength: 20,
      }),
      (given) => {
        if (!takes(given)) return;
        expect(given).toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u);
        expect(given).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_C}\u00ad\u200b\u3164\u2800]/u);
      },
    ),
  ));

test('letters and marks of any script are taken, and with a hidden character anywhere they are not', () => {
  const letters = fc.stringMatching(/^\p{L}[\p{L}\p{M}' -]{0,20}$/u).filter((given) => !/[\p{DI}]/u.test(given));
  fc.assert(
    fc.property(letters, fc.nat(), fc.constantFrom(...hidden), (given, at, character) => {
      expect(takes(given)).toBe(true);
      const points = [...given];
      expect(takes(points.toSpliced(at % (points.length + 1), 0, character).join(''))).toBe(false);
    }),
  );
});

test('a long line is read once, with any ending', () => {
  const ends = ['\u202e', '\u200d\u200d'].map((end) =>
    text(100_000).safeParse(`${'क\u094d\u200d'.repeat(30_000)}${end}`),
  );
  expect(ends.map(({ success }) => success)).toEqual([false, false]);
});

test('a name or reason that shows nothing is refused', () => {
  const problems = (form: z.ZodType, values: object) =>
    form.safeParse(values).error?.issues.map(({ path }) => path.join('.')) ?? [];
  for (const unseen of ['\u3164', '\u2800', '\u200b', ' \u00a0'])
    expect([
      ...problems(ClubForm.pick({ name: true }), { name: unseen }),
      ...problems(createApiKey.input.pick({ name: true }), { name: unseen }),
      ...problems(holdSupporter.input.pick({ reason: true }), { reason: unseen }),
      ...problems(ClubChanges, { suburb: unseen }),
    ]).toEqual(expect.arrayContaining(['name', 'name', 'reason', 'suburb']));
});
