import { expect, test } from 'vitest';
import { ratiosOf } from './beside.ts';
import { ratioTable } from './ratio-table.ts';

test('each ratio stands beside its limit and the last landed one, and says where it is over the limit', () => {
  const now = { planRatio: 1.15, ingestRatio: 1.51, submitRatio: 0.9, apiRatio: 1.2 };
  expect(ratioTable(now, { planRatio: 1.1 })).toBe(
    [
      '                   now   limit  landed',
      'planRatio         1.15    1.15    1.10',
      'ingestRatio       1.51    1.50       –  over its limit',
      'submitRatio       0.90    1.20       –',
      'apiRatio          1.20    1.20       –',
    ].join('\n'),
  );
});

test('figures of two commits are divided by name, however deep; what one of them lacks is left out', () => {
  const ours = { apiRatio: 1.5, api: { perSecond: 30, new: 2 }, lost: ['a'], plan: { seconds: 0 } };
  const former = { apiRatio: 2, api: { perSecond: 20 }, lost: ['b'], plan: { seconds: 0 }, gone: 1 };
  expect(ratiosOf(ours, former)).toEqual({ apiRatio: 0.75, api: { perSecond: 1.5 } });
});
