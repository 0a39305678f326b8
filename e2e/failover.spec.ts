import { expect, test } from '@playwright/test';
import { addDays, sydneyDay } from '@sparechange/domain';
import { isDebitDay } from '@sparechange/domain/banking-calendar';
import { connect } from '@sparechange/server/db/connect.ts';
import { productClock } from '@sparechange/server/db/product-clock.ts';
import { timeOf } from '@sparechange/server/testing/timetable.ts';
import { manyProcesses } from './many-processes.ts';
import { missingPrograms, startPatroni } from './patroni-cluster.ts';
import { keepCalling } from './steady-load.ts';

const json = { 'content-type': 'application/json' };
const supporters = 12;
const answered = 3;
/** Jobs that a worker lost are taken up after a minute or two of silence, several times. */
const longest = 1_500_000;

test('a debit run outlives the primary twice, amid planning and amid submission, with nobody debited twice', async () => {
  const missing = missingPrograms();
  test.setTimeout(longest);
  test.skip(missing.length > 0, `This machine lacks ${missing.join(', ')}: docs/testing.md says how to install them.`);
  await using cleanup = new AsyncDisposableStack();
  const cluster = await startPatroni();
  cleanup.defer(cluster.stop);
  const product = await manyProcesses(cluster, [{ role: 'api' }, { role: 'worker' }, { role: 'worker' }]);
  cleanup.defer(product.stop);
  await Promise.all([0, 1, 2].map(product.start));
  const ops = product.opsOf();
  const control = (path: string, init?: RequestInit) => fetch(`${product.bank}/control${path}`, init);
  const fault = (body: object) =>
    control('/faults', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ path: '/zepto/payment_requests', method: 'POST', ...body }),
    });
  const earlier = new Set<string>();
  const listPayments = async () => {
    const all = (await (await control('/payments')).json()) as { ref: string; contactId: string }[];
    return all.filter(({ ref }) => !earlier.has(ref));
  };

  await ops('sandbox', 'crowd', '--supporters', String(supporters));
  const observer = connect(cluster.superuserUrl, { max: 2 });
  cleanup.defer(() => observer.end());
  // The workers start the day's tasks unprompted within a minute, the debit run after the others.
  for (const { ref } of await listPayments()) earlier.add(ref);
  let day = addDays(sydneyDay(new Date()), 1);
  while (!isDebitDay(day)) day = addDays(day, 1);
  const now = timeOf('debit-run', day);
  await control('/clock', { method: 'POST', headers: json, body: JSON.stringify({ now }) });
  const clock = await productClock(observer);
  await clock.setTo(now);
  const load = await keepCalling(product.home, observer);

  // Planning waits for the table and has planned nothing when the primary is killed.
  const blocker = connect(cluster.superuserUrl, { max: 1 });
  cleanup.defer(() => blocker.end({ timeout: 0 }));
  const blocked = blocker.begin(async (tx) => {
    await tx`lock table debits in share row exclusive mode`;
    await tx`select pg_sleep(600)`;
  });
  blocked.catch(() => {});
  const isPlanning = async () => {
    const [row] = await observer<{ count: number }[]>`
      select count(*)::int as count from pg_locks where not granted and relation = 'debits'::regclass`;
    return row?.count;
  };
  await expect.poll(isPlanning, { timeout: 420_000 }).toBeGreaterThan(0);
  // Some are answered; the provider takes the next ones without answering in time, and answers late about the others.
  await fault({ latencyMs: 0, count: answered });
  await fault({ timeoutAfterEffect: true, holdMs: 15_000, count: 3 });
  await fault({ latencyMs: 8_000 });
  const first = await cluster.killPrimary('postgres');
  await expect(blocked).rejects.toThrow();
  await cluster.untilWhole();

  await expect.poll(async () => (await listPayments()).length, { timeout: 420_000 }).toBeGreaterThan(answered);
  const second = await cluster.killPrimary('machine');
  await control('/faults', { method: 'DELETE' });

  await expect(async () => {
    const [row] = await observer<{ open: number; isFinished: boolean }[]>`
      select (select count(*)::int from debits where state in ('planned', 'submitting')) as open,
        exists (select from timetable_runs where task = 'debit-run' and due_at = ${now} and finished_at is not null) as "isFinished"`;
    expect(row).toEqual({ open: 0, isFinished: true });
  }).toPass({ timeout: 420_000, intervals: [1_000] });
  const { calls, failures } = await load.finish();
  // While there is no primary, callers are told to retry; nothing else fails.
  expect(failures.filter((failure) => !/: 50[23] /.test(failure))).toEqual([]);
  const payers = (await listPayments()).map(({ contactId }) => contactId);
  expect(payers.length).toBeGreaterThanOrEqual(supporters);
  expect(new Set(payers).size).toBe(payers.length);

  second.again();
  await cluster.untilWhole();
  await ops('advance', '--days', '8');
  await ops('settle');
  expect(await ops('audit')).toMatchObject({ violations: [] });
  expect(await ops('reconcile')).toMatchObject({ missingHere: 0, missingThere: 0, different: 0 });
  const description = `${first.seconds} s without PostgreSQL, ${second.seconds} s without the machine; ${calls} calls`;
  test.info().annotations.push({ type: 'until another led', description });
  await clock.close();
});
