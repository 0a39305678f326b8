import { beforeEach, expect, test } from 'vitest';
import { noAnswer } from '#features/core/supporter-work/testing/due-work.ts';
import { ownDatabase } from '#testing/database.ts';
import { aClock, forgetEverything } from '#testing/makers.ts';
import { type Breaker, bankLinkBreaker } from './bank-link-breaker.ts';

const database = ownDatabase();
const clock = aClock();
const aBreaker = () => bankLinkBreaker({ db: database.pool, clock });

beforeEach(async () => {
  await forgetEverything(database.pool);
  clock.setTo('2026-11-24T17:00:00Z');
});

/** Fails calls until the breaker opens; returns their number. */
async function failUntilOpen(breaker: Breaker): Promise<number> {
  for (let calls = 1; ; calls += 1) if (await breaker.notAnswered(noAnswer())) return calls;
}

test('a breaker opened and closed by another process counts from zero', async () => {
  const [slow, other] = [aBreaker(), aBreaker()];
  for (let calls = 0; calls < 19; calls += 1) expect(await slow.notAnswered(noAnswer())).toBe(false);
  await failUntilOpen(other);
  expect(await slow.look()).toBe('open');
  clock.setTo('2026-11-24T17:00:31Z');
  expect(await other.look()).toBe('half_open');
  await other.answered();
  expect(await slow.look()).toBe('closed');
  expect(await failUntilOpen(slow)).toBe(20);
});

test('a breaker opened here and closed by another process counts from zero', async () => {
  const [one, other] = [aBreaker(), aBreaker()];
  await failUntilOpen(one);
  clock.setTo('2026-11-24T17:00:31Z');
  await other.look();
  await other.answered();
  expect(await one.look()).toBe('closed');
  expect(await failUntilOpen(one)).toBe(20);
});

test('a call that fails while the breaker is half open opens it immediately', async () => {
  const breaker = aBreaker();
  await failUntilOpen(breaker);
  clock.setTo('2026-11-24T17:00:31Z');
  expect(await breaker.look()).toBe('half_open');
  expect(await failUntilOpen(breaker)).toBe(1);
});
