import { expect, test } from 'vitest';
import { commandInWords, supportersNamed, withoutIds } from './command-words.ts';

test.each([
  ['ops advance', { days: '26', words: '' }, 'Moved the clock by 26 days'],
  ['ops advance', { days: '1' }, 'Moved the clock by 1 day'],
  ['ops advance', { to: '2026-12-01T00:10' }, 'Moved the clock to 2026-12-01, 00:10'],
  ['ops remit', {}, 'Paid the clubs by command'],
  ['ops keys list', {}, undefined],
])('%s %j is %s', (action, details, words) => expect(commandInWords({ action, details })).toBe(words));

test('an id in the words of a command is a link and no text', () => {
  const id = '01a22832-2706-7000-8000-000000000001';
  expect(withoutIds(`supporter ${id}`)).toBe('a supporter');
  expect(withoutIds(`${id} now`)).toBe('now');
  expect(supportersNamed(`supporter ${id} now, ${id}`)).toEqual([id]);
});
