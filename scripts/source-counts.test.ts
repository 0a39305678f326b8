import { describe, expect, test } from 'vitest';
import { listPaths, readSource } from './citations.ts';
import {
  commentsOf,
  countLines,
  hasPrivateName,
  hasPrivateSentence,
  importsOf,
  inCircle,
  isDecision,
  median,
  opensWithClause,
  privateProse,
  wordsOf,
} from './source-counts.ts';

test('imports are read in every form, types and own folder included', () => {
  const text = `
    import { a } from '#features/debits/plan.ts';
    import type { B } from '../ledger/post.ts';
    export * from './c.ts';
    const d = await import('#http/d.ts');
    import { z } from 'zod';
    import './side-effect.ts';`;
  expect(importsOf({ path: 'apps/server/src/features/savings/x.ts', text })).toEqual([
    'apps/server/src/features/debits/plan.ts',
    'apps/server/src/features/ledger/post.ts',
    'apps/server/src/features/savings/c.ts',
    'apps/server/src/http/d.ts',
    'apps/server/src/features/savings/side-effect.ts',
  ]);
});

describe('a circle', () => {
  test('is found however long it is, without what only leads into it or out of it', () => {
    const arrows = [
      ['in', 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'out'],
    ] as const;
    expect(inCircle(arrows)).toEqual(['a', 'b', 'c']);
  });
  test('is not in a diamond', () => {
    expect(
      inCircle([
        ['a', 'b'],
        ['a', 'c'],
        ['b', 'd'],
        ['c', 'd'],
      ]),
    ).toEqual([]);
  });
});

test('doc comments are read whole, without stars; others and empty ones are not', () => {
  const text = '/** One. */\n// no\n/* no */\n/**\n * Two\n * lines.\n */\n/***/\nconst x = 1;';
  expect(commentsOf({ text })).toEqual(['One.', 'Two lines.']);
});

test.each(['What a run takes.', 'Whether it is on', 'Of two, the first', 'The same for all.', 'So long it waits'])(
  'opens with a clause: %s',
  (comment) => expect(opensWithClause(comment)).toBe(true),
);
test.each(['Returns what is due.', 'Whole cents.', 'Often called.', 'The sum.', 'Somebody signed in.', 'However'])(
  'opens with no clause: %s',
  (comment) => expect(opensWithClause(comment)).toBe(false),
);

test('words, lines and the middle are counted', () => {
  expect(wordsOf('Returns the sum — in cents, 2 decimals.')).toBe(7);
  expect(countLines('a\nb\n')).toBe(2);
  expect(countLines('a\nb')).toBe(2);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([1, 2, 3, 4])).toBe(2);
});

test('a decision has a status, a date and at most 250 words', () => {
  const page = (words: number, status = 'Status: accepted, 2 May 2026') =>
    isDecision({ text: `# 1. Title of it\n\n${status}\n\n${'word '.repeat(words)}` });
  expect(page(250)).toBe(true);
  expect(page(251)).toBe(false);
  expect(page(1, 'Status: accepted')).toBe(false);
  expect(page(1, '')).toBe(false);
});

test('a private word counts as a whole word of a name alone', () => {
  const named = (path: string, text = '') => hasPrivateName({ path, text });
  expect(named('a/tell-story.ts')).toBe(true);
  expect(named('a/b.ts', 'export const judgedGivers = 1;')).toBe(true);
  expect(named('a/b.ts', 'export async function oddnessOf() {}')).toBe(true);
  expect(named('a/dead-letters.ts', 'export const dropDeadLetter = 1;')).toBe(false);
  expect(named('a/history.ts', 'export const sealant = 1;')).toBe(false);
  expect(named('a/b.ts', 'const told = 1;')).toBe(true);
  expect(named('told/b.ts', 'function f() {\n  const told = 1;\n}')).toBe(false);
});

test('a private word counts in a sentence of help or of the log', () => {
  const said = (text: string) => hasPrivateSentence({ text });
  const help = (text: string) => `program.${'description'}(${text})`;
  expect(said(help("'sealed with the first key'"))).toBe(true);
  expect(said(help('"also when runs were halted"'))).toBe(true);
  expect(said(`${'log'}.error({ error }, 'a giver was told');`)).toBe(true);
  expect(said("log.error({ told }, 'a mail was not sent');")).toBe(false);
  expect(said(help("'at most so many'"))).toBe(false);
});

test('a private word counts in a comment and in the title of a test', () => {
  const told = ['/', '** A giver is told. */'].join('');
  const title = (text: string) => `test.each([1])(${text}, async ({ a, b }) => {});`;
  expect(privateProse({ text: `${told}\nconst told = 'told';` })).toEqual([told]);
  expect(privateProse({ text: ['x(); // it is ', 'away'].join('') })).toHaveLength(1);
  expect(privateProse({ text: title(`'whom it was ${'told'}'`) })).toHaveLength(1);
  expect(privateProse({ text: title(`'given away, by letters'`) })).toEqual([]);
});

const sources = listPaths()
  .filter((path) => /\.tsx?$/.test(path))
  .map(readSource);

test('in this repository no name, help or log line has a private word', () => {
  const privately = sources.filter((file) => hasPrivateName(file) || hasPrivateSentence(file));
  expect(privately.map(({ path }) => path)).toEqual([]);
});

test('in this repository no comment or test title has a private word', () => {
  expect(sources.flatMap((file) => privateProse(file).map((text) => `${file.path}: ${text}`))).toEqual([]);
});

test('in this repository fewer than two in a hundred doc comments open with a clause', () => {
  const comments = sources.flatMap((file) => commentsOf(file).map((text) => `${file.path}: ${text}`));
  const clauses = comments.filter((comment) => opensWithClause(comment.slice(comment.indexOf(': ') + 2)));
  expect(clauses.length < comments.length / 50 ? [] : clauses).toEqual([]);
});
