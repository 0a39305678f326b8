import type { Db } from '#db/connect.ts';

/** Lets a transaction change what is append-only and what keys protect; on a cluster on its nodes, too. */
export async function setGuardsAside(tx: Db): Promise<void> {
  await tx`set local citus.propagate_set_commands = 'local'`;
  await tx`set local session_replication_role = 'replica'`;
}
