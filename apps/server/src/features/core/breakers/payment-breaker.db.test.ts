import { breakerRule } from '@sparechange/domain/circuit-breaker';
import { beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { aClock, forgetEverything } from '#testing/makers.ts';
import { type CallOrigin, type PaymentBreaker, paymentBreaker } from './payment-breaker.ts';

const database = ownDatabase();
const clock = aClock();
const aBreaker = (by: CallOrigin, isAskedByPerson = false) =>
  paymentBreaker({ db: database.pool, clock, isAskedByPerson }, by);
const ofNew = () => aBreaker('new');

beforeEach(async () => {
  await forgetEverything(database.pool);
  clock.setTo('2026-11-24T19:00:00Z');
});

/** Makes a batch of calls without an answer. */
async function failBatch(breaker: PaymentBreaker, calls: number = breakerRule.atFirst): Promise<void> {
  await breaker.look();
  for (let call = 0; call < calls; call += 1) breaker.record(true);
  await breaker.conclude();
}

async function answer(breaker: PaymentBreaker): Promise<void> {
  await breaker.look();
  breaker.record(false);
  await breaker.conclude();
}

test('once one process gets no answers, every process stops calling the provider for half a minute', async () => {
  const other = ofNew();
  expect(await other.look()).toBe('closed');
  await failBatch(ofNew());
  expect(await other.look()).toBe('open');
  expect(other.isOpen).toBe(true);
  expect(await aBreaker('unanswered').look()).toBe('open');
  expect(await aBreaker('assisting').look()).toBe('open');
  clock.setTo('2026-11-24T19:00:30Z');
  expect(await ofNew().look()).toBe('half_open');
});

test.each(['new', 'assisting', 'unanswered'] as const)('an answer about a payment ends it: %s', async (by) => {
  await failBatch(ofNew());
  clock.setTo('2026-11-24T19:00:31Z');
  await answer(aBreaker(by));
  expect(await ofNew().look()).toBe('closed');
});

test.each(['assisting', 'unanswered'] as const)('only new payments open it, not %s', async (by) => {
  await failBatch(aBreaker(by));
  expect(await ofNew().look()).toBe('closed');
  await failBatch(ofNew());
  clock.setTo('2026-11-24T19:00:31Z');
  await failBatch(aBreaker(by));
  expect(await ofNew().look()).toBe('half_open');
});

test.each(['new', 'unanswered'] as const)(
  'a payment that a person requests is sent immediately, and an answer ends it: %s',
  async (by) => {
    await failBatch(ofNew());
    expect(await aBreaker(by, true).look()).toBe('half_open');
    await answer(aBreaker(by, true));
    expect(await ofNew().look()).toBe('closed');
  },
);

test('each failed probe doubles the time, up to ten minutes', async () => {
  await failBatch(ofNew());
  const minutes: number[] = [];
  for (let times = 0; times < 7; times += 1) {
    const [known] = await database.rows<{ openUntil: Date }[]>`select open_until as "openUntil" from provider_breakers`;
    minutes.push(((known?.openUntil.getTime() ?? 0) - clock.now().getTime()) / 60_000);
    clock.setTo(known?.openUntil.toISOString() ?? '');
    const probe = ofNew();
    await failBatch(probe, 2);
    expect(probe.reason).toMatch(/^none of the 2 calls/);
  }
  expect(minutes).toEqual([0.5, 1, 2, 4, 8, 10, 10]);
});

test('an earlier answer does not end an outage that another process finds later', async () => {
  const breaker = ofNew();
  await answer(breaker);
  await failBatch(ofNew());
  clock.setTo('2026-11-24T19:00:31Z');
  await breaker.look();
  await breaker.conclude();
  expect(await ofNew().look()).toBe('half_open');
});
