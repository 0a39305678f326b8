import { expect, test } from '@playwright/test';
import { addDays, type IsoDate, sydneyDay } from '@sparechange/domain';
import { aDurablePlace, type Place, runOps, startOps, startProduct, stopProduct, untilReady } from './product.ts';

const supporterCount = 24;
const answeredCount = 6;

interface SandboxPayment {
  idempotencyKey: string;
  amountCents: number;
  contactId: string;
}

const controlUrl = (place: Place, path: string) => `http://localhost:${place.port + 1}/control${path}`;

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Returns the next day from the 8th of a month on; in the first days some supporters may have no purchases yet. */
function dayWithPurchases(): IsoDate {
  let day = addDays(sydneyDay(new Date()), 1);
  while (Number(day.slice(-2)) < 8) day = addDays(day, 1);
  return day;
}

test('each supporter is debited exactly once even if the server is killed in the middle of a debit run', async () => {
  const place = await aDurablePlace();
  const day = dayWithPurchases();
  const server = startProduct(place);
  await untilReady(server);
  // At that hour nothing of the timetable is due; otherwise the product might start a debit run beside this one.
  await runOps(place, 'advance', '--to', `${day}T00:30`);
  await runOps(place, 'sandbox', 'crowd', '--supporters', String(supporterCount));
  const { debits } = await runOps<{ debits: number }>(place, 'debit-run', '--plan', '--date', day, '--limit', '0');
  expect(debits).toBeGreaterThan(2 * answeredCount);
  // The provider answers a few, then accepts the rest without answering, so that the run is waiting when it is killed.
  const paymentRequests = { path: '/zepto/payment_requests', method: 'POST' };
  await post(controlUrl(place, '/faults'), { ...paymentRequests, latencyMs: 0, count: answeredCount });
  await post(controlUrl(place, '/faults'), { ...paymentRequests, timeoutAfterEffect: true, holdMs: 600_000 });

  const listAll = async () => (await (await fetch(controlUrl(place, '/payments'))).json()) as SandboxPayment[];
  const earlier = new Set((await listAll()).map(({ idempotencyKey }) => idempotencyKey)); // of days on the way
  const listPayments = async () => (await listAll()).filter(({ idempotencyKey }) => !earlier.has(idempotencyKey));
  const run = startOps(place, 'debit-run', '--force');
  await expect.poll(async () => (await listPayments()).length).toBeGreaterThan(answeredCount);
  server.child.kill('SIGKILL');
  await server.ended;
  expect(await run.ended).toBe(1);

  const restarted = startProduct(place);
  await untilReady(restarted);
  await fetch(controlUrl(place, '/faults'), { method: 'DELETE' });
  await runOps(place, 'debit-run', '--force');

  // Within minutes the product looks up the payments that were left without an answer.
  await expect.poll(async () => (await listPayments()).length, { timeout: 300_000 }).toBe(debits);
  const payments = await listPayments();
  const payers = payments.map((payment) => payment.contactId);
  expect(new Set(payers).size).toBe(payers.length);
  const audit = await runOps<{ violations: string[] }>(place, 'audit');
  expect(audit.violations).toEqual([]);
  expect(await stopProduct(restarted)).toBe(0);
});
