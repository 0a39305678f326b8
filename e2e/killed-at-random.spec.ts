import { expect, test } from '@playwright/test';
import { startKilling } from './killing.ts';
import { aDurablePlace } from './product.ts';

/** A few rounds; `npm run kill-loop` does any number. */
const rounds = 3;

test('killing any process at any moment loses nothing and does nothing twice', async () => {
  const killing = await startKilling(await aDurablePlace(), 6, Math.random);
  for (let round = 0; round < rounds; round += 1) test.info().annotations.push(described(await killing.round()));
  expect(await killing.finish()).toEqual([]);
});

const described = (round: object) => ({ type: 'killed', description: JSON.stringify(round) });
