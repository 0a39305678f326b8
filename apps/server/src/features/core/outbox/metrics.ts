import type { Db } from '#db/connect.ts';
import { controlAndBuckets, rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { findMailOutage } from '#features/core/breakers/provider-breakers.ts';
import type { Gauges } from '#telemetry/gauges.ts';

export function outboxMetrics({ db, clock, flag, gauge, keptOfAnswering }: Gauges): void {
  flag('mail_server_unavailable', '1 while mails wait for the mail server.', () => findMailOutage(db));
  const late = keptOfAnswering(60_000, async (pool) => {
    const anHourAgo = new Date(clock.now().getTime() - 3_600_000);
    const count = (each: Db) => each<{ late: number }[]>`
      select count(*)::int as late from mails
      where sent_at is null and given_up_at is null and recipient <> 'operator' and queued_at < ${anHourAgo}`;
    return sumsOf(await rowsOf(controlAndBuckets(pool), count)).late;
  });
  gauge('mails_late', 'Mails to supporters and clubs that have waited for more than an hour.', late);
}
