import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Lets each go so often as it has batches; one throws at its second. */
async function takeTurns(batches: Record<string, number>, failing?: string) {
  const order: string[] = [];
  const turns = new Turns(Object.keys(batches));
  await turns.take(async (name) => {
    order.push(name);
    const taken = order.filter((each) => each === name).length;
    if (name === failing && taken === 2) throw new Error(`${name} failed`);
    return taken < (batches[name] ?? 0);
  });
  return { order: order.join(''), turns };
}

test('one with much left does not keep the others waiting', async () => {
  expect((await takeTurns({ a: 4, b: 2, c: 1 })).order).toBe('abcabaa');
});

test('one that fails has no more turns, also later, and is thrown at the end', async () => {
  const { order, turns } = await takeTurns({ a: 3, b: 3 }, 'a');
  expect(order).toBe('ababb');
  const later: string[] = [];
  await turns.take(async (name) => later.push(name) > 5);
  expect(later).toEqual(['b']);
  expect(turns.left).toEqual(['b']);
  expect(() => turns.throwFailures()).toThrow('a failed');
});

test('turns taken together begin together, and one that fails has no more', async () => {
  const turns = new Turns(['a', 'b', 'c']);
  const order: string[] = [];
  await turns.takeTogether(async (name) => {
    order.push(name);
    await Promise.resolve();
    order.push(name.toUpperCase());
    if (name === 'b') throw new Error('b failed');
  });
  expect(order.join('')).toBe('abcABC');
  expect(turns.left).toEqual(['a', 'c']);
  expect(() => turns.throwFailures()).toThrow('b failed');
});
