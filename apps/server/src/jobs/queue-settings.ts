import { connectionSettings } from '#db/connect.ts';
import { limitsOfQueues } from '#db/limits.ts';

/** Returns how pg-boss connects: as we do, with limits, to tables that are there. */
export const queueSettings = (databaseUrl: string) => ({
  ...connectionSettings(databaseUrl, 'sparechange queues', limitsOfQueues),
  schema: 'pgboss',
  createSchema: false,
});
