import { expect, test } from 'vitest';
import { commandOf, readNames, readNumbers } from './command.ts';
import { faultKinds } from './faults/faults.ts';

const plain = { supporters: 20, days: 30, seed: 4, faults: false, buckets: 1, isOnCluster: false };

test('a command names what differs from the defaults', () => {
  expect(commandOf(plain)).toBe('npm run simulate -- --supporters 20 --days 30 --seed 4');
  expect(
    commandOf({ ...plain, only: [3, 7], faults: true, kinds: ['ends', 'empty lists'], buckets: 4, isOnCluster: true }),
  ).toBe(
    'npm run simulate -- --supporters 20 --days 30 --seed 4 --people 3,7 --faults --kinds ends,empty-lists --citus --buckets 4',
  );
});

test('people are numbers of supporters, each once', () => {
  expect(readNumbers('7,3,7', 20)).toEqual([3, 7]);
  for (const wrong of ['0', '21', '1.5', 'one', '']) expect(readNumbers(wrong, 20), wrong).toBeUndefined();
});

test('kinds of faults are read as they are written', () => {
  expect(readNames('ends,empty-lists', faultKinds)).toEqual(['ends', 'empty lists']);
  expect(readNames('ends,floods', faultKinds)).toBeUndefined();
});
