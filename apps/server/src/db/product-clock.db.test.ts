import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { connect } from './connect.ts';
import { productClock } from './product-clock.ts';

const database = ownDatabase();

const minutesFrom = (clock: { now(): Date }, instant: string) =>
  Math.round((clock.now().getTime() - Date.parse(instant)) / 60_000);

test('the clock shows real time until it is moved, and then goes on from there in every process', async () => {
  const other = connect(database.url, { max: 2 });
  const [clock, elsewhere] = [await productClock(database.pool), await productClock(other)];
  expect(minutesFrom(clock, new Date().toISOString())).toBe(0);
  await clock.setTo(new Date('2027-03-01T00:00:00Z'));
  expect(minutesFrom(clock, '2027-03-01T00:00:00Z')).toBe(0);
  await expect.poll(() => minutesFrom(elsewhere, '2027-03-01T00:00:00Z')).toBe(0);
  const started = await productClock(other);
  expect(minutesFrom(started, '2027-03-01T00:00:00Z')).toBe(0);
  for (const each of [clock, elsewhere, started]) await each.close();
  await other.end();
});
