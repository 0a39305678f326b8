import { isIPv6 } from 'node:net';
import type { Db } from '#db/connect.ts';
import { hashSecret } from './secret.ts';

/** Returns the eight groups of an IPv6 address. */
export function groupsOf(ip: string): string[] {
  const plain = ip.toLowerCase().split('%')[0] ?? '';
  const written = plain.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
  });
  const [head = '', tail] = written.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...gap, ...last].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** An IPv4 address that is written as one of IPv6, mapped or translated (RFC 4291, RFC 6052). */
const holdsIpv4 = /^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/;

const ipv4Of = (groups: string[]): string =>
  groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');

/**
 * Returns the network that one caller is likely to own: an IPv4 address itself, an IPv6 address's first bits. A /64 is one
 * household's at least; a /48 is the most that one site is given, and a guesser has all of it to choose from.
 */
export function networkOf(ip: string, bits: 48 | 64 = 64): string {
  if (!ip.includes(':') || !isIPv6(ip)) return ip; // IPv6 is told by a long regular expression
  const groups = groupsOf(ip);
  return holdsIpv4.test(groups.join(':')) ? ipv4Of(groups) : groups.slice(0, bits / 16).join(':');
}

/** Returns the /48 of an IPv6 caller, who may take any of its 65,536 networks; nothing for IPv4. */
export function siteOf(ip: string): string | undefined {
  const site = networkOf(ip, 48);
  return site.includes(':') ? site : undefined;
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
