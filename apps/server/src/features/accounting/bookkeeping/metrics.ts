import type { Gauges } from '#telemetry/gauges.ts';
import { kept } from '#telemetry/readings.ts';
import { listLastBookChecks } from './book-check-repository.ts';
import { readPlatformBooks } from './platform-accounts.ts';

export function bookMetrics({ db, gaugeBy, limited, secondsSince }: Gauges): void {
  const lastChecks = kept(15_000, () => listLastBookChecks(limited(db)));
  const ofEachCheck = (value: (check: Awaited<ReturnType<typeof lastChecks>>[number]) => number) => async () =>
    (await lastChecks()).map((check) => ({ name: check.kind, value: value(check) }));
  gaugeBy(
    'check',
    'book_check_age_seconds',
    'Since the books were last audited, or compared with the provider.',
    ofEachCheck(({ startedAt }) => secondsSince(startedAt)),
  );
  gaugeBy(
    'check',
    'book_check_found',
    'Violations, or payments that differ from the provider’s, that the last check found.',
    ofEachCheck(({ found }) => found),
  );
  gaugeBy(
    'check',
    'book_check_left_out',
    'Supporters that the last check had no time for.',
    ofEachCheck(({ leftOut }) => leftOut),
  );
  const books = kept(15_000, () => readPlatformBooks(limited(db)));
  gaugeBy(
    'account',
    'platform_balance_cents',
    'Accounts of the platform: payments until the end of the last closed day, corrections until now.',
    async () => Object.entries((await books()).balances).map(([name, value]) => ({ name, value })),
  );
}
