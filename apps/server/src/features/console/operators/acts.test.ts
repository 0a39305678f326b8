import { expect, test } from 'vitest';
import { actNames, findAct, mayAskFor } from './acts.ts';

test('each act has a code of its own, under which it is found', () => {
  expect(new Set(actNames).size).toBe(actNames.length);
  expect(actNames.map((name) => findAct(name)?.name)).toEqual(actNames);
  expect(findAct('of a newer version')).toBeUndefined();
});

test.each(actNames)('an owner may ask for %s, somebody without a role may not', (name) => {
  expect(mayAskFor(name, { roles: ['owner'], clubIds: [] }, undefined)).toBe(true);
  expect(mayAskFor(name, { roles: [], clubIds: [] }, undefined)).toBe(false);
});
