import type { Db } from '#db/connect.ts';
import { networkOf } from './network.ts';
import { hashSecret } from './secret.ts';

const nameOf = (uid: string, ip: string): string =>
  hashSecret([uid, networkOf(ip, 48)].join('\n')).toString('base64url');

/** Remembers that the user has proven who they are from this network, at most once a day. */
export async function rememberNetwork(db: Db, uid: string, ip: string): Promise<void> {
  await db`
    insert into identity.known_networks as known (uid, network, seen_at) values (${uid}, ${nameOf(uid, ip)}, now())
    on conflict (uid, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'`;
}

export async function isKnownNetwork(db: Db, uid: string, ip: string): Promise<boolean> {
  const [known] = await db`
    select from identity.known_networks where uid = ${uid} and network = ${nameOf(uid, ip)}`;
  return known !== undefined;
}

export async function forgetOldNetworks(db: Db): Promise<void> {
  await db`delete from identity.known_networks where seen_at < now() - interval '180 days'`;
}
