import { describe, expect, test } from 'vitest';
import { listPaths, readSource } from './citations.ts';
import {
  commentsOf,
  countLines,
  countPatterns,
  importsOf,
  inCircle,
  median,
  opensWithClause,
  proseOf,
  wordsOf,
} from './source-counts.ts';

test('imports are read in every form, types and own folder included', () => {
  const text = `
    import { a } from '#features/collections/debits/plan.ts';
    import type { B } from '../../core/ledger/post.ts';
    export * from './c.ts';
    const d = await import('#http/d.ts');
    import { z } from 'zod';
    import './side-effect.ts';`;
  expect(importsOf({ path: 'apps/server/src/features/disbursements/savings/x.ts', text })).toEqual([
    'apps/server/src/features/collections/debits/plan.ts',
    'apps/server/src/features/core/ledger/post.ts',
    'apps/server/src/features/disbursements/savings/c.ts',
    'apps/server/src/http/d.ts',
    'apps/server/src/features/disbursements/savings/side-effect.ts',
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

test('patterns are counted in comments and titles, not in code', () => {
  const text = [
    '/',
    '** Kept mean',
    'while. */\nconst a = 1; /',
    '/ goes ',
    "on\ntest('is sent at on",
    "ce', () => {});\nconst b = 'goes ', c;",
  ].join('');
  const { meanwhile, 'goes on': goesOn, 'at once': atOnce } = countPatterns(proseOf({ path: 'a.ts', text }));
  expect([meanwhile, goesOn, atOnce]).toEqual([1, 1, 1]);
  expect(countPatterns(proseOf({ path: 'a.md', text: 'as many as ten; so ' + 'many' }))['so many']).toBe(1);
});

const sources = listPaths()
  .filter((path) => /\.tsx?$/.test(path))
  .map(readSource);

test('in this repository fewer than two in a hundred doc comments open with a clause', () => {
  const comments = sources.flatMap((file) => commentsOf(file).map((text) => `${file.path}: ${text}`));
  const clauses = comments.filter((comment) => opensWithClause(comment.slice(comment.indexOf(': ') + 2)));
  expect(clauses.length < comments.length / 50 ? [] : clauses).toEqual([]);
});
