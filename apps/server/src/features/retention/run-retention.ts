import { inTurn } from '#db/in-each-bucket.ts';
import { deleteOutdated, type RetentionDeps } from './delete-outdated.ts';
import { makePartitions } from './make-partitions.ts';

/** Deletes what is outdated and makes partitions; a deletion that fails keeps no partition from being there in time. */
export async function runRetention(deps: RetentionDeps): Promise<object> {
  const steps = [() => deleteOutdated(deps), async () => ({ partitions: await makePartitions(deps) })];
  return Object.assign({}, ...(await inTurn(steps, (step): Promise<object> => step())));
}
