import { isIPv6 } from 'node:net';

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
