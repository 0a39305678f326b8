import { expect, test } from 'vitest';
import { z } from 'zod';
import { consoleOperation } from './operation.ts';

const answer = z.object({});
const club = z.object({ clubId: z.string() });
const call = { name: 'call', method: 'POST', path: '/call', allowed: ['owner'], output: answer } as const;
const read = { ...call, readsOnly: true } as const;
const example = { clubId: 'one' };

test('a complete declaration is returned as it is', () => {
  const act = { ...call, words: 'Called', input: club, example };
  expect(consoleOperation(act)).toBe(act);
  const page = { ...read, follows: ['clubs'], input: club, example };
  expect(consoleOperation(page)).toBe(page);
});

test('a declaration does not compile without what its call needs', () => {
  // @ts-expect-error an act has words
  consoleOperation({ ...call, input: answer });
  // @ts-expect-error so has a file that somebody saves
  consoleOperation({ ...read, audited: ['clubId'], input: answer });
  // @ts-expect-error an answer on a page says what it follows
  consoleOperation({ ...read, input: answer });
  // @ts-expect-error an input that cannot be empty has an example
  consoleOperation({ ...call, words: 'Called', input: club });
  // @ts-expect-error which is valid
  consoleOperation({ ...call, words: 'Called', input: club, example: {} });
  // @ts-expect-error an act follows nothing
  consoleOperation({ ...call, words: 'Called', follows: ['clubs'], input: answer });
});
