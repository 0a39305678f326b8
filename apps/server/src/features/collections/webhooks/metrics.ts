import type { Gauges } from '#telemetry/gauges.ts';
import { kept } from '#telemetry/readings.ts';

export function notificationMetrics({ db, gauge, limited }: Gauges): void {
  const counting = limited(db);
  const open = kept(
    0,
    () => counting<{ count: number; seconds: number }[]>`
      select count(*)::int as count, coalesce(greatest(extract(epoch from now() - min(received_at)), 0), 0)::float8 as seconds
      from notifications where handled_at is null`,
  );
  gauge('notifications_open', 'Notifications of providers that are kept and not yet handled.', async () => {
    const [found] = await open();
    return found?.count ?? 0;
  });
  gauge('notifications_waiting_seconds', 'How long the oldest notification has not been handled.', async () => {
    const [found] = await open();
    return found?.seconds ?? 0;
  });
}
