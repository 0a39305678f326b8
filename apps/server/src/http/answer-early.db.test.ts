import { setTimeout as pause } from 'node:timers/promises';
import { getUser } from '@sparechange/contract';
import { importStatement, listStatementImports, runDebits } from '@sparechange/contract/console';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { approvedActs } from '#runtime/approved-acts.ts';
import { anApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';

interface Line {
  level: number;
  msg: string;
  err?: { message: string };
}

function aLog() {
  const lines: Line[] = [];
  const loggerInstance = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { lines, loggerInstance };
}

test.each(['ends well', 'fails'])('a handler that %s after its call was answered leaves no warning', async (how) => {
  const { lines, loggerInstance } = aLog();
  const verified = Promise.withResolvers<{ uid: string; email: string; authTime: number; issuedAt: number }>();
  const verifyIdToken = vi.fn(() => verified.promise);
  const api = await anApp({ verifyIdToken, edge: { watchTimes: { everyMs: 10, longestMs: 50 } } }, { loggerInstance });
  const { supporterId, uid } = await api.supporter();
  // On a busy machine a call may be answered before its handler is at work: then there is nothing to fail late.
  let calls = 0;
  await expect
    .poll(
      async () => {
        calls += 1;
        expect((await api.call(getUser, { userId: uid }, { uid })).status).toBe(503);
        return verifyIdToken.mock.calls.length;
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const now = Math.floor(Date.now() / 1000);
  if (how === 'fails') verified.reject(new Error(`the tokens of ${supporterId} cannot be read`));
  else verified.resolve({ uid, email: 'robin@example.com', authTime: now, issuedAt: now });
  const isCounted = async () => /^http_late_failures_total\{[^}]*\} [1-9]/m.test(await api.metrics.text());
  if (how === 'fails') await expect.poll(isCounted, { timeout: 60_000 }).toBe(true);
  else await pause(200);
  const problems = lines.filter(({ level }) => level >= 40);
  expect(problems.map(({ msg }) => msg)).toEqual(Array(calls).fill('request refused')); // the answers themselves
  expect(await isCounted()).toBe(how === 'fails');
  await api.close();
});

test('work that fails after its call was answered is logged with its error and counted', async () => {
  const { lines, loggerInstance } = aLog();
  const run = Promise.withResolvers<never>();
  const acts = { debitRun: () => run.promise } as unknown as ReturnType<typeof approvedActs>;
  const api = await anApp({ acts, edge: { patienceMs: 20 } }, { loggerInstance });
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const answer = await callConsole(api.app, runDebits, { date: '2026-11-24', how: 'again' }, finance);
  expect([answer.status, answer.body]).toEqual([200, { outcome: 'under_way' }]);
  run.reject(new Error('a bucket was lost'));
  await expect
    .poll(() => lines.find(({ msg }) => msg === 'failed after the call was answered'))
    .toMatchObject({ level: 50, err: { message: 'a bucket was lost' } });
  expect(await api.metrics.text()).toContain('http_late_failures_total{route="/console/api/runs/run"} 1');
  await api.close();
});

test('an import that takes longer than its call continues; its refusal is listed, and noted in the audit log', async () => {
  const { lines, loggerInstance } = aLog();
  const api = await anApp({ edge: { patienceMs: 1 } }, { loggerInstance });
  const finance = await anOperator(api.db, { roles: ['finance'] });
  const file = { fileName: 'november.csv', content: btoa('what,is,this\n1,2,3\n') };
  const { status, body } = await callConsole(api.app, importStatement, file, finance);
  expect([status, body]).toEqual([200, { underWay: expect.any(String) }]);
  const listed = async () => (await callConsole(api.app, listStatementImports, {}, finance)).body.imports;
  await expect
    .poll(listed, { timeout: 60_000 })
    .toMatchObject([
      { fileName: 'november.csv', state: 'refused', problem: expect.stringContaining('The first line') },
    ]);
  const refused = () => api.rows`select from audit_log where action = 'console importStatement refused'`;
  await expect.poll(async () => (await refused()).length, { timeout: 60_000 }).toBe(1);
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  await api.close();
});
