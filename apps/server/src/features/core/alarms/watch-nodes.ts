import { sydneyDateTime } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import { nodesInWords } from '#db/silent-nodes.ts';
import { type AlarmDeps, raiseAlarm } from './alarms.ts';

const alarmedAfterMs = 5 * 60_000;

export interface NodeOutage {
  server: string;
  since: Date;
}

/** Lists the nodes that did not answer when last asked. */
export const listNodeOutages = (db: Db) => db<NodeOutage[]>`select server, since from server_outages order by server`;

/** Raises an alarm once a node has been silent for five minutes, and another when it answers again. */
export async function watchNodes(deps: AlarmDeps, silent: string[]): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  await db`
    insert into server_outages (server, since) select name, ${now} from unnest(${silent}::text[]) name
    on conflict do nothing`;
  await inTurn(await listNodeOutages(db), (outage) =>
    silent.includes(outage.server) ? alarmOutage(deps, outage) : endOutage(deps, outage),
  );
}

const aboutOf = ({ server, since }: NodeOutage) => `${server} ${since.toISOString()}`;

async function alarmOutage(deps: AlarmDeps, outage: NodeOutage): Promise<void> {
  const { clock } = deps;
  const { server, since } = outage;
  if (clock.now().getTime() - since.getTime() < alarmedAfterMs) return;
  await raiseAlarm(deps, {
    name: 'bucket_server_silent',
    about: aboutOf(outage),
    sentence: `The database ${nodesInWords([server])} has not answered since ${sydneyDateTime(since)} Sydney time: nothing is done for its supporters, and debit runs, closing days and remittances wait for it.`,
  });
}

async function endOutage(deps: AlarmDeps, outage: NodeOutage): Promise<void> {
  const { db, clock } = deps;
  const { server, since } = outage;
  const alarmed = await db`select from alarms where name = 'bucket_server_silent' and about = ${aboutOf(outage)}`;
  if (alarmed.count > 0)
    await raiseAlarm(deps, {
      name: 'bucket_server_back',
      about: aboutOf(outage),
      sentence: `The database node ${server}, silent since ${sydneyDateTime(since)}, answered again at ${sydneyDateTime(clock.now())} Sydney time. Work that was waiting for it continues automatically.`,
    });
  await db`delete from server_outages where server = ${server}`;
}
