import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test('what a database cannot keep is replaced, wherever it is', () => {
  const text = '{"data":[{"description":"CAFE\\u0000 \\ud83d","amount":"-4.35","whole":"\\ud83d\\ude00"}]}';
  expect(readJson(text)).toEqual({
    data: [{ description: 'CAFE\ufffd \ufffd', amount: '-4.35', whole: '😀' }],
  });
});

test('a backslash before a u is no escape', () => {
  expect(readJson('{"path":"C:\\\\u0000"}')).toEqual({ path: 'C:\\u0000' });
});

test('everything else is as it is, also beside what is replaced', () =>
  fc.assert(
    fc.property(fc.json({ stringUnit: 'grapheme' }), (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
      expect(readJson(`["\\u0000",${text}]`)).toEqual(['\ufffd', JSON.parse(text)]);
    }),
  ));

test('what is no JSON is undefined', () => {
  for (const text of ['', '{', '<html>', '\0']) expect(readJson(text)).toBeUndefined();
});
