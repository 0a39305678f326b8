import { expect, test } from 'vitest';
import { findUnreachedNode } from './database-answers.ts';

const refused = new Error(
  'connection to the remote node sparechange_product@db2.example:5432 failed with the following error: Connection refused',
);

test.each([
  ['an error of the coordinator', refused, 'db2.example:5432'],
  ['one of several', new AggregateError([new Error('another'), refused]), 'db2.example:5432'],
  ['an error of another kind', new Error('Connection terminated'), undefined],
])('the node that was not reached is found in %s', (_what, error, node) => {
  expect(findUnreachedNode(error)).toBe(node);
});
