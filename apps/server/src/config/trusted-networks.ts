import { isIP, isIPv4 } from 'node:net';
import { groupsOf } from '#identity/network.ts';

/** Names that Fastify gives to networks of this machine and its site. */
const named = ['loopback', 'linklocal', 'uniquelocal'];
const ipv4Bits = 32;
const ipv6Bits = 128;
/** Where IPv4 lies in IPv6 (RFC 4291): a network around it has all of IPv4 in it. */
const mapped = 0xffffn << 32n;

interface Network {
  /** All addresses as those of IPv6. */
  first: bigint;
  bits: number;
}

const numberOf = (address: string): bigint =>
  groupsOf(isIPv4(address) ? `::ffff:${address}` : address).reduce(
    (number, group) => (number << 16n) | BigInt(Number.parseInt(group, 16)),
    0n,
  );

function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const most = isIPv4(address) ? ipv4Bits : ipv6Bits;
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return undefined;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const given = bits === undefined ? most : Number(bits);
  return given > most ? undefined : { first: numberOf(address), bits: ipv6Bits - most + given };
}

const listed = (text: string): string[] => text.split(',').map((each) => each.trim());

/** Returns whether a text is comma-separated addresses, networks and Fastify's names for networks. */
export const isProxyList = (text: string): boolean =>
  listed(text).every((each) => named.includes(each) || networkOf(each) !== undefined);

const begins = ({ first, bits }: Network, start: bigint): boolean => {
  const rest = BigInt(ipv6Bits - bits);
  return first >> rest === start >> rest;
};

/** Returns the fraction of all IPv4 or IPv6 addresses that a network covers: the larger of the two. */
function shareOf(network: Network): number {
  const { bits } = network;
  const isOfIpv4 = begins({ ...network, bits: Math.min(bits, ipv6Bits - ipv4Bits) }, mapped);
  return isOfIpv4 ? 2 ** -Math.max(0, bits - (ipv6Bits - ipv4Bits)) : 2 ** -bits;
}

/** Four networks as large as 10.0.0.0/8; no operator's own proxies have more. */
const largestShare = 1 / 64;

/** Returns whether a list trusts so large a part of all addresses that anybody's could be in it. */
export function trustsTooMany(text: string): boolean {
  const shares = listed(text).flatMap((each) => {
    const network = networkOf(each);
    return network ? [shareOf(network)] : [];
  });
  return shares.reduce((sum, share) => sum + share, 0) > largestShare;
}
