import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallProblem } from '#api/call-problem.ts';
import { actOnEach, maxRowsOfAct } from './act-on-each.ts';

test('each row is acted on once and in turn, past those that are refused, and each is accounted for', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 2 * maxRowsOfAct }), async (refusals) => {
      const rows = refusals.map((isRefused, id) => ({ id, isRefused }));
      const tried: number[] = [];
      const counts: number[] = [];
      const act = async ({ id, isRefused }: (typeof rows)[number]) => {
        tried.push(id);
        if (isRefused) throw new CallProblem(409, 'conflict', 'It was sent again today.');
      };
      const { done, leftOut } = await actOnEach(rows, act, (count) => counts.push(count));
      const first = rows.slice(0, maxRowsOfAct);
      expect(tried).toEqual(first.map(({ id }) => id));
      expect(counts).toEqual(first.map((_, at) => at + 1));
      expect(done).toEqual(first.filter(({ isRefused }) => !isRefused));
      expect(leftOut.map(({ row }) => row)).toEqual([
        ...first.filter(({ isRefused }) => isRefused),
        ...rows.slice(maxRowsOfAct),
      ]);
      for (const { because } of leftOut) expect(['It was sent again today.', 'Only 50 at a time.']).toContain(because);
    }),
    { numRuns: 50 },
  ));
