import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextLink, nextPageUrl, readJson } from './provider-answers.ts';

test('characters that a database cannot store are replaced at every depth', () => {
  const text = '{"data":[{"description":"CAFE\\u0000 \\ud83d","amount":"-4.35","whole":"\\ud83d\\ude00"}]}';
  expect(readJson(text)).toEqual({
    data: [{ description: 'CAFE\ufffd \ufffd', amount: '-4.35', whole: '😀' }],
  });
});

test('an escaped backslash before a u does not begin an escape', () => {
  expect(readJson('{"path":"C:\\\\u0000"}')).toEqual({ path: 'C:\\u0000' });
});

test('everything else stays as it is, even beside replaced text', () =>
  fc.assert(
    fc.property(fc.json({ stringUnit: 'grapheme' }), (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
      expect(readJson(`["\\u0000",${text}]`)).toEqual(['\ufffd', JSON.parse(text)]);
    }),
  ));

test('an answer that is not JSON is read as undefined', () => {
  for (const text of ['', '{', '<html>', '\0']) expect(readJson(text)).toBeUndefined();
});

test('the link to the next page is followed as given', () => {
  const link = 'https://au-api.basiq.io/users/u/transactions?next=abc%3D%3D&limit=500';
  expect(nextPageUrl(link, 'https://au-api.basiq.io').href).toBe(link);
  expect(nextPageUrl('/users/u/transactions?next=abc', 'https://au-api.basiq.io').pathname).toBe(
    '/users/u/transactions',
  );
});

test.each([
  ['http://api.zeptopayments.com/contacts?page=2', 'https://api.zeptopayments.com/contacts?page=2'],
  ['https://evil.example:8443/contacts?page=2', 'https://api.zeptopayments.com/contacts?page=2'],
])('a token is never sent to another origin: %s', (link, url) =>
  expect(nextPageUrl(link, 'https://api.zeptopayments.com').href).toBe(url),
);

test('the port of the configured address is kept', () => {
  const url = nextPageUrl('http://localhost:4001/basiq/users?next=1', 'http://127.0.0.1:5000/basiq');
  expect(url.href).toBe('http://127.0.0.1:5000/basiq/users?next=1');
});

test.each([
  ['<http://a.test/contacts?page=2>; rel="next"', 'http://a.test/contacts?page=2'],
  ['<http://a.test/?page=9>; rel="last", <http://a.test/?page=2>; rel="next"', 'http://a.test/?page=2'],
  ['<http://a.test/?page=9>; rel="last"', undefined],
  ['', undefined],
  [null, undefined],
])('a Link header of %j leads to the next page %j', (header, link) => expect(nextLink(header)).toBe(link));
