import { isIPv6 } from 'node:net';
import type { Db } from '#db/connect.ts';
import { hashSecret } from './secret.ts';

/**
 * Returns the network that one caller is likely to own: an IPv4 address itself, an IPv6 address's first bits. A /64 is one
 * household's at least; a /48 is the most that one site is given, and a guesser has all of it to choose from.
 */
export function networkOf(ip: string, bits: 48 | 64 = 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...gap, ...last]
    .slice(0, bits / 16)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

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
