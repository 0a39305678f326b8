import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from '#db/connect.ts';
import { statementLimiter } from '#db/limit-statements.ts';
import { addGauge, type ReadGauge, type Reading } from './metrics.ts';
import { kept, within } from './readings.ts';

/** Includes the bounds of good and poor (web.dev/articles/vitals). */
const webSeconds = [0.1, 0.2, 0.5, 0.8, 1, 1.8, 2.5, 4, 10];
const webShifts = [0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** A count that takes longer is ended; `countsAtOnce` of them have connections of their own. */
const countMs = 5_000;
const countsAtOnce = 4;

/** The metrics of this process and of its shared database. */
export type ProductMetrics = ReturnType<typeof productMetrics>;

export function productMetrics(db: Pool) {
  const registry = new Registry();
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: 20 });
  const limited = statementLimiter(countMs, countsAtOnce);
  const counting = limited(db);
  const gauge = (name: string, help: string, read: ReadGauge) => addGauge(registry, name, help, undefined, read);
  const gaugeBy = (label: string, name: string, help: string, read: ReadGauge) =>
    addGauge(registry, name, help, label, read);
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets?: number[]) =>
    new Histogram({ name, help, labelNames, registers, ...(buckets && { buckets }) });

  gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage().rss);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of this process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  gauge('nodejs_eventloop_delay_seconds', 'Longest delay of the event loop since the last reading.', () => {
    const value = delay.max / 1e9;
    delay.reset();
    delay.enable();
    return value;
  });

  gauge('database_up', 'Whether the database answers.', () =>
    within(2_000, db`select 1`).then(
      () => 1,
      () => 0,
    ),
  );
  gaugeBy(
    'state',
    'database_connections',
    'Connections of all our programs, by what they do.',
    kept(
      0,
      () => counting<Reading[]>`
        select coalesce(state, 'starting') as name, count(*)::int as value from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' group by 1`,
    ),
  );
  const mails = counter('mails_total', 'Mails handed over, put off or given up.', ['outcome']);
  for (const outcome of ['sent', 'waiting', 'given_up']) mails.inc({ outcome }, 0);

  return {
    registry,
    text: () => registry.metrics(),
    gauge,
    gaugeBy,
    /** Returns a pool for counts. */
    limited,
    requestsInFlight: new Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered.', registers }),
    requests: counter('http_requests_total', 'Requests answered, by route and status.', ['method', 'route', 'status']),
    requestSeconds: histogram('http_request_duration_seconds', 'From the request to the end of its answer.', [
      'method',
      'route',
    ]),
    lateFailures: counter('http_late_failures_total', 'Work that failed after its call was answered, by route.', [
      'route',
    ]),
    jobs: counter('jobs_total', 'Jobs done or failed, by queue.', ['queue', 'outcome']),
    jobSeconds: histogram('job_duration_seconds', 'How long jobs took, by queue.', ['queue']),
    providerCalls: counter('provider_calls_total', 'Calls to outside services, each try, by outcome.', [
      'provider',
      'method',
      'outcome',
    ]),
    providerSeconds: histogram('provider_call_duration_seconds', 'How long outside services took to answer.', [
      'provider',
      'method',
    ]),
    mails,
    pageViews: counter('web_page_views_total', 'Screens that were shown, by route and tenant.', ['route', 'tenant']),
    webSeconds: histogram(
      'web_vital_seconds',
      'How fast screens are: TTFB, FCP, LCP and INP.',
      ['vital', 'route'],
      webSeconds,
    ),
    webShifts: histogram('web_layout_shift', 'How far screens move by themselves: CLS.', ['route'], webShifts),
  };
}
