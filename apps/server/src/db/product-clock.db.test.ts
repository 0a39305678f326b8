import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { connect } from './connect.ts';
import { productClock } from './product-clock.ts';

const database = ownDatabase();

const minutesBetween = (clock: { now(): Date }, instant: string) =>
  Math.abs(clock.now().getTime() - Date.parse(instant)) / 60_000;

test('the clock shows real time until it is moved, and then continues from there in every process', async () => {
  const otherPool = connect(database.url, { max: 2 });
  const [clock, otherClock] = [await productClock(database.pool), await productClock(otherPool)];
  expect(minutesBetween(clock, new Date().toISOString())).toBeLessThan(1);
  await clock.setTo(new Date('2027-03-01T00:00:00Z'));
  expect(minutesBetween(clock, '2027-03-01T00:00:00Z')).toBeLessThan(1);
  await expect.poll(() => minutesBetween(otherClock, '2027-03-01T00:00:00Z')).toBeLessThan(1);
  const laterClock = await productClock(otherPool);
  expect(minutesBetween(laterClock, '2027-03-01T00:00:00Z')).toBeLessThan(1);
  for (const each of [clock, otherClock, laterClock]) await each.close();
  await otherPool.end();
});
