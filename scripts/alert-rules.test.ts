import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { debianPrograms } from './debian-programs.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../deploy/prometheus/alerts.yaml', import.meta.url));
const Rules = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })) });
const alerts = Rules.parse(load(readFileSync(file, 'utf8'))).groups.flatMap(({ rules }) =>
  rules.map(({ alert }) => alert),
);

/**
 * Cases in which each alert fires: series a minute apart in promtool's words, all of which begin after ten minutes, as
 * of a process that starts then, and the minute by which it fires. Seven minutes after its start nothing has happened.
 */
interface Firing {
  series: Record<string, string>;
  by: number;
  /** Counts in hours, for what has to last for days. */
  inHours?: true;
}

/** A gauge that is well for ten minutes. */
const gauge = (well: number, ill: number): string => `_x9 ${well}x9 ${ill}x300`;
/** A counter of a process that starts, and of which something happens once after ten minutes. */
const once = (count = 1): string => `_x9 0x9 ${count}x300`;
/** A counter that grows from then on. */
const steadily = (perMinute: number): string => `_x9 0x9 0+${perMinute}x300`;

const firings: Record<string, Firing> = {
  DebitRunMissed: { series: { debit_run_missed: gauge(0, 1) }, by: 21 },
  DebitingSuspended: { series: { debiting_suspended: gauge(0, 1) }, by: 21 },
  TenantStopped: { series: { tenants_stopped: gauge(0, 1) }, by: 45, inHours: true },
  PaymentsParked: { series: { 'payments_parked{kind="debits"}': gauge(0, 1) }, by: 21 },
  PaymentsUnanswered: {
    series: {
      'payments_unknown{kind="debits"}': gauge(0, 1),
      'payments_unknown_seconds{kind="debits"}': '_x9 0x9 0+60x300',
    },
    by: 160,
  },
  DebitsRefused: { series: { debits_refused_ratio: gauge(0, 0.02) }, by: 21 },
  DebitsReturned: {
    series: { 'debits{state="settled"}': gauge(80, 80), 'debits{state="returned"}': gauge(1, 20) },
    by: 90,
  },
  AuditFound: { series: { 'book_check_found{check="nightly_audit"}': gauge(0, 1) }, by: 21 },
  ReconciliationDiffers: { series: { 'book_check_found{check="reconciliation"}': gauge(0, 1) }, by: 21 },
  BooksUnchecked: { series: { 'book_check_age_seconds{check="nightly_audit"}': gauge(0, 172_801) }, by: 21 },
  BooksPartlyChecked: { series: { 'book_check_left_out{check="nightly_audit"}': gauge(0, 1) }, by: 95, inHours: true },
  SuspenseOpen: { series: { 'platform_balance_cents{account="suspense"}': gauge(0, 100) }, by: 70, inHours: true },
  BankLinkFailing: { series: { 'bank_link_failed_ratio{task="sync"}': gauge(0, 0.1) }, by: 55 },
  BankLinkAnswersNobody: { series: { bank_link_breaker_open: gauge(0, 1) }, by: 55 },
  DirectDebitAnswersNoPayment: { series: { direct_debit_breaker_open: gauge(0, 1) }, by: 55 },
  SupporterWorkParked: { series: { 'supporter_work_parked{task="sync"}': gauge(0, 1) }, by: 55 },
  SupporterWorkLate: { series: { supporter_work_waiting_seconds: gauge(0, 7_201) }, by: 40 },
  ProviderFailing: {
    series: {
      'provider_calls_total{provider="basiq",method="GET",outcome="200"}': steadily(10),
      'provider_calls_total{provider="basiq",method="GET",outcome="no answer"}': steadily(5),
    },
    by: 60,
  },
  TimetableLate: { series: { 'timetable_late_seconds{task="mails"}': gauge(0, 7_201) }, by: 21 },
  MetricsUnread: { series: { 'metrics_unread_total{metric="debits"}': once(10) }, by: 22 },
  QueueWaits: { series: { 'queue_age_seconds{queue="mails"}': gauge(0, 901) }, by: 21 },
  DeadLetters: { series: { 'jobs_failed{queue="mails"}': gauge(0, 1) }, by: 21 },
  JobsFailing: { series: { 'jobs_total{queue="mails",outcome="failed"}': once(11) }, by: 22 },
  NotificationsOpen: { series: { notifications_waiting_seconds: gauge(0, 3_601) }, by: 30 },
  MailsLate: { series: { mails_late: gauge(0, 1) }, by: 90 },
  MailServerUnavailable: { series: { mail_server_unavailable: gauge(0, 1) }, by: 40 },
  MailsGivenUp: {
    series: { 'mails_total{outcome="given_up"}': once(21), 'mails_total{outcome="sent"}': steadily(1) },
    by: 30,
  },
  NotMeasured: { series: { database_up: '1x18' }, by: 40 },
  DatabaseDown: { series: { database_up: gauge(1, 0) }, by: 25 },
  BucketsUnread: { series: { buckets_unread: gauge(0, 1) }, by: 30 },
  DatabaseConnections: { series: { 'database_connections{instance="api",state="idle"}': gauge(10, 91) }, by: 40 },
  ServerErrors: {
    series: {
      'http_requests_total{method="GET",route="/",status="200"}': steadily(20),
      'http_requests_total{method="GET",route="/",status="500"}': steadily(1),
    },
    by: 35,
  },
  LateFailures: { series: { 'http_late_failures_total{route="/"}': once() }, by: 22 },
  SlowAnswers: {
    series: {
      'http_request_duration_seconds_bucket{le="2.5"}': steadily(1),
      'http_request_duration_seconds_bucket{le="5"}': steadily(10),
      'http_request_duration_seconds_bucket{le="+Inf"}': steadily(10),
    },
    by: 45,
  },
  EventLoopBlocked: { series: { 'nodejs_eventloop_delay_seconds{instance="api"}': gauge(0, 2) }, by: 30 },
};

/** Returns a file of `promtool test rules`: quiet while all is well, firing afterwards. */
const testsOf = (unit: 'm' | 'h', asked: Record<string, Firing>) => ({
  rule_files: [file],
  evaluation_interval: `1${unit}`,
  tests: Object.entries(asked).map(([alert, { series, by }]) => {
    const expr = `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`;
    return {
      interval: `1${unit}`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        { expr, eval_time: `17${unit}`, exp_samples: [] },
        { expr, eval_time: `${by}${unit}`, exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }] },
      ],
    };
  }),
});

const folder = mkdtempSync(join(tmpdir(), 'sparechange-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const found = await debianPrograms({ promtool: 'prometheus' });
const whyNot = found.whyNot ? ` (skipped: ${found.whyNot})` : '';
const promtool = (...args: string[]) =>
  run(found.whyNot === undefined ? found.paths.promtool : '', args).then(
    ({ stdout }) => ({ isRight: true, said: stdout }),
    ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => ({ isRight: false, said: stdout + stderr }),
  );
const tryRules = (asked: Record<string, Firing>) => {
  const files = (['m', 'h'] as const).map((unit) => {
    const path = join(folder, `${unit}.json`); // JSON is YAML
    const ofUnit = Object.entries(asked).filter(([, { inHours }]) => (unit === 'h') === (inHours === true));
    writeFileSync(path, JSON.stringify(testsOf(unit, Object.fromEntries(ofUnit))));
    return path;
  });
  return promtool('test', 'rules', ...files);
};

test('every alert has what makes it fire', () => {
  expect(Object.keys(firings)).toEqual(alerts);
});

test.skipIf(found.whyNot)(`promtool reads the rules${whyNot}`, async () => {
  expect(await promtool('check', 'rules', file)).toMatchObject({ isRight: true });
});

test.skipIf(found.whyNot)(`every alert fires, also for a process that starts later${whyNot}`, async () => {
  expect(await tryRules(firings)).toMatchObject({ isRight: true });
});

test.skipIf(found.whyNot)(`a counter that is born with its first failure would be missed${whyNot}`, async () => {
  const born = { LateFailures: { series: { 'http_late_failures_total{route="/"}': '_x19 1x300' }, by: 22 } };
  expect(await tryRules(born)).toMatchObject({ isRight: false });
});
