import { expect, test } from 'vitest';
import { ApiDescription, compare, describeWithDescriptions, type Exchange } from './api-description.ts';

const aToken: Exchange = {
  method: 'POST',
  url: new URL('https://au-api.basiq.io/token'),
  headers: {
    authorization: 'Basic a',
    'basiq-version': '3.0',
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'scope=SERVER_ACCESS',
  status: 200,
  answer: '{"access_token":"a","token_type":"Bearer","expires_in":3600}',
};

describeWithDescriptions('what is other than described is found', () => {
  const differences = (overrides: Partial<Exchange>, path = '/token') =>
    new ApiDescription('basiq-core.json').differences({ ...aToken, ...overrides }, path).join('; ');

  test('nothing, in a call as it should be', () => expect(differences({})).toBe(''));
  test.each([
    ['an answer of another type', { answer: '{"access_token":1}' }, 'access_token'],
    ['an answer with a status of its own', { status: 418, answer: '' }, '418'],
    ['a query nobody reads', { url: new URL('https://au-api.basiq.io/token?a=1') }, 'query a'],
    [
      'a body of another kind',
      { headers: { ...aToken.headers, 'content-type': 'application/json' }, body: '{}' },
      'body as',
    ],
  ])('%s', (_name, overrides, words) => expect(differences(overrides)).toContain(words));
  test('a call that is none', () => expect(differences({}, '/elsewhere')).toContain('is not described'));
});

test('a known difference is distinguished from one that no longer occurs', () => {
  const known = [
    { difference: /^a/, because: 'one' },
    { difference: /^c/, because: 'two' },
  ];
  expect(compare(['a1', 'a1', 'b'], known)).toEqual({ unknown: ['b'], unused: ['two'] });
});
