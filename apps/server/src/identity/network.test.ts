import { expect, test } from 'vitest';
import { networkOf, siteOf } from './network.ts';

test('a guesser is counted by the /48', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6', 48)).toBe('2001:db8:1');
  expect(networkOf('203.0.113.7', 48)).toBe('203.0.113.7');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['not an address', 'not an address'],
])('%s belongs to %s', (ip, network) => expect(networkOf(ip)).toBe(network));

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['::ffff:203.0.113.7', undefined],
  ['203.0.113.7', undefined],
])('the site of %s is %s', (ip, site) => expect(siteOf(ip)).toBe(site));
