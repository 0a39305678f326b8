import { bucketSchemas } from './scope.ts';
import type { Db } from './tag.ts';

/** Lists the node of each bucket of a cluster, in their order, from the coordinator's own tables: no node is asked. */
export async function listNodesOfBuckets(db: Db): Promise<(string | undefined)[]> {
  const placed = await db.inControl()<{ node: string | null }[]>`
    select (
      select nodename || ':' || nodeport from pg_dist_shard join pg_dist_placement using (shardid)
      join pg_dist_node using (groupid) where logicalrelid = to_regclass(schema || '.supporters') and noderole = 'primary' limit 1
    ) as node
    from unnest(${bucketSchemas(db.scope)}::text[]) with ordinality as listed (schema, place) order by place`;
  return placed.map(({ node }) => node ?? undefined);
}
