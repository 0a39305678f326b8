import { expect, test } from '@playwright/test';
import { addDays, sydneyDay } from '@sparechange/domain';
import { aDurablePlace, type Place, runOps, startOps, startProduct, stopProduct, untilReady } from './product.ts';

const supporters = 24;
const answered = 6;

interface SandboxPayment {
  idempotencyKey: string;
  amountCents: number;
  contactId: string;
}

const control = (place: Place, path: string) => `http://localhost:${place.port + 1}/control${path}`;

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('killing the server in the middle of a debit run ends with each supporter debited exactly once', async () => {
  const place = await aDurablePlace();
  const server = startProduct(place);
  await untilReady(server);
  // At that hour nothing of the timetable is due: on a debit day the product would run beside the run that is killed.
  await runOps(place, 'advance', '--to', `${addDays(sydneyDay(new Date()), 1)}T00:30`);
  await runOps(place, 'sandbox', 'crowd', '--supporters', String(supporters));
  // A few are answered; the provider accepts the next ones and does not say so, so that the run waits to be killed.
  const toPay = { path: '/zepto/payment_requests', method: 'POST' };
  await post(control(place, '/faults'), { ...toPay, latencyMs: 0, count: answered });
  await post(control(place, '/faults'), { ...toPay, timeoutAfterEffect: true, holdMs: 600_000 });

  const listPayments = async () => (await (await fetch(control(place, '/payments'))).json()) as SandboxPayment[];
  const run = startOps(place, 'debit-run', '--force');
  await expect.poll(async () => (await listPayments()).length).toBeGreaterThan(answered);
  server.child.kill('SIGKILL');
  await server.ended;
  expect(await run.ended).toBe(1);

  const again = startProduct(place);
  await untilReady(again);
  await fetch(control(place, '/faults'), { method: 'DELETE' });
  await runOps(place, 'debit-run', '--force');

  // The product itself asks a minute later for payments that stayed without an answer.
  await expect.poll(async () => (await listPayments()).length, { timeout: 300_000 }).toBeGreaterThanOrEqual(supporters);
  const payments = await listPayments();
  const payers = payments.map((payment) => payment.contactId);
  expect(new Set(payers).size).toBe(payers.length);
  const audit = await runOps<{ violations: string[] }>(place, 'audit');
  expect(audit.violations).toEqual([]);
  expect(await stopProduct(again)).toBe(0);
});
