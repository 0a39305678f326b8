import { expect, test } from '@playwright/test';
import { addDays, type IsoDate, sydneyDay } from '@sparechange/domain';
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

/** Returns the next day by which everybody has purchases in its month; in a month's first days some may have none. */
function dayWithPurchases(): IsoDate {
  let day = addDays(sydneyDay(new Date()), 1);
  while (Number(day.slice(-2)) < 8) day = addDays(day, 1);
  return day;
}

test('killing the server in the middle of a debit run ends with each supporter debited exactly once', async () => {
  const place = await aDurablePlace();
  const day = dayWithPurchases();
  const server = startProduct(place);
  await untilReady(server);
  // At that hour nothing of the timetable is due: on a debit day the product would run beside the run that is killed.
  await runOps(place, 'advance', '--to', `${day}T00:30`);
  await runOps(place, 'sandbox', 'crowd', '--supporters', String(supporters));
  const { debits } = await runOps<{ debits: number }>(place, 'debit-run', '--plan', '--date', day, '--limit', '0');
  expect(debits).toBeGreaterThan(2 * answered);
  // A few are answered; the provider accepts the next ones without an answer, so that the run waits to be killed.
  const toPay = { path: '/zepto/payment_requests', method: 'POST' };
  await post(control(place, '/faults'), { ...toPay, latencyMs: 0, count: answered });
  await post(control(place, '/faults'), { ...toPay, timeoutAfterEffect: true, holdMs: 600_000 });

  const listAll = async () => (await (await fetch(control(place, '/payments'))).json()) as SandboxPayment[];
  const earlier = new Set((await listAll()).map(({ idempotencyKey }) => idempotencyKey)); // of days on the way here
  const listPayments = async () => (await listAll()).filter(({ idempotencyKey }) => !earlier.has(idempotencyKey));
  const run = startOps(place, 'debit-run', '--force');
  await expect.poll(async () => (await listPayments()).length).toBeGreaterThan(answered);
  server.child.kill('SIGKILL');
  await server.ended;
  expect(await run.ended).toBe(1);

  const again = startProduct(place);
  await untilReady(again);
  await fetch(control(place, '/faults'), { method: 'DELETE' });
  await runOps(place, 'debit-run', '--force');

  // A minute later the product itself looks up payments left without an answer.
  await expect.poll(async () => (await listPayments()).length, { timeout: 300_000 }).toBe(debits);
  const payments = await listPayments();
  const payers = payments.map((payment) => payment.contactId);
  expect(new Set(payers).size).toBe(payers.length);
  const audit = await runOps<{ violations: string[] }>(place, 'audit');
  expect(audit.violations).toEqual([]);
  expect(await stopProduct(again)).toBe(0);
});
