import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Pool } from '#db/connect.ts';
import { createMetrics } from './metrics.ts';
import { countsBy, within } from './readings.ts';

/** Includes the bounds of good and poor (web.dev/articles/vitals). */
const webSeconds = [0.1, 0.2, 0.5, 0.8, 1, 1.8, 2.5, 4, 10];
const webShifts = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** The metrics of this program and of its shared database. */
export type ProductMetrics = ReturnType<typeof productMetrics>;

export function productMetrics(db: Pool) {
  const metrics = createMetrics();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  const { gauge } = metrics;
  let inFlight = 0;

  gauge('process_resident_memory_bytes', 'Memory of this process.', () => [{ value: process.memoryUsage().rss }]);
  gauge('process_cpu_seconds_total', 'Processor time of this process.', () => {
    const { user, system } = process.cpuUsage();
    return [{ value: (user + system) / 1e6 }];
  });
  gauge('nodejs_eventloop_delay_seconds', 'Longest delay of the event loop since the last reading.', () => {
    const value = delay.max / 1e9;
    delay.reset();
    delay.enable();
    return [{ value }];
  });
  gauge('http_requests_in_flight', 'Requests being answered.', () => [{ value: inFlight }]);

  gauge('database_up', 'Whether the database answers.', () =>
    within(2_000, db`select 1`).then(
      () => [{ value: 1 }],
      () => [{ value: 0 }],
    ),
  );
  gauge('database_connections', 'Connections of all our programs, by what they do.', async () =>
    countsBy(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select coalesce(state, 'starting') as name, count(*)::int as value from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' group by 1`,
      ),
      'state',
    ),
  );
  gauge('queue_age_seconds', 'How long the oldest job that is due has been waiting.', async () =>
    countsBy(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select name, extract(epoch from now() - min(start_after))::float8 as value from pgboss.job
        where state < 'active' and start_after <= now() and name <> 'dead-letters' group by name`,
      ),
      'queue',
    ),
  );
  gauge('queue_length', 'Jobs that are due and waiting.', async () =>
    countsBy(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select name, count(*)::int as value from pgboss.job
        where state < 'active' and start_after <= now() and name <> 'dead-letters' group by name`,
      ),
      'queue',
    ),
  );
  gauge('jobs_failed', 'Jobs that are not tried again until an operator has looked, by queue.', async () =>
    countsBy(
      await within(
        2_000,
        db<{ name: string; value: number }[]>`
        select coalesce(source_name, 'unknown') as name, count(*)::int as value from pgboss.job
        where name = 'dead-letters' group by 1`,
      ),
      'queue',
    ),
  );
  gauge('notifications_open', 'Notifications of providers that are kept and not yet handled.', async () => {
    const [open] = await within(
      2_000,
      db<{ value: number }[]>`
      select count(*)::int as value from notifications where handled_at is null`,
    );
    return [{ value: open?.value ?? 0 }];
  });

  return {
    text: metrics.text,
    gauge,
    requests: metrics.counter('http_requests_total', 'Requests answered, by route and status.'),
    requestSeconds: metrics.histogram('http_request_duration_seconds', 'From the request to the end of its answer.'),
    jobs: metrics.counter('jobs_total', 'Jobs done or failed, by queue.'),
    jobSeconds: metrics.histogram('job_duration_seconds', 'How long jobs took, by queue.'),
    providerCalls: metrics.counter('provider_calls_total', 'Calls to outside services, each try, by outcome.'),
    providerSeconds: metrics.histogram('provider_call_duration_seconds', 'How long outside services took to answer.'),
    pageViews: metrics.counter('web_page_views_total', 'Screens that were shown, by route and tenant.'),
    webSeconds: metrics.histogram('web_vital_seconds', 'How fast screens are: TTFB, FCP, LCP and INP.', webSeconds),
    webShifts: metrics.histogram('web_layout_shift', 'How far screens move by themselves: CLS.', webShifts),
    began: () => {
      inFlight += 1;
    },
    ended: () => {
      inFlight -= 1;
    },
  };
}
