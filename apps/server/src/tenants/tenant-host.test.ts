import { expect, test } from 'vitest';
import { tenantKeyOf } from './tenant-site.ts';

test.each([
  ['aca.sparechange.example', 'aca'],
  ['ACA.SpareChange.Example', 'aca'],
  ['aca.sparechange.example:4000', 'aca'],
  ['riverside-rovers.sparechange.example', 'riverside-rovers'],
  ['aca.www.sparechange.example', 'aca'],
  ['sparechange.example', 'default'],
  ['aca.other.example', 'default'],
  ['aca.notsparechange.example', 'default'],
  ['aca.sparechange.example.evil.test', 'default'],
  ['localhost', 'default'],
  ['localhost:4000', 'default'],
  ['127.0.0.1:4000', 'default'],
  ['[::1]:4000', 'default'],
  ['', 'default'],
])('under the provider-domain reading %s is the tenant %s', (host, key) => {
  expect(tenantKeyOf(host, 'provider-domain', 'sparechange.example')).toBe(key);
});

test("a host of two labels is no tenant's, even under a domain of one label", () => {
  expect(tenantKeyOf('aca.localhost', 'provider-domain', 'localhost')).toBe('default');
  expect(tenantKeyOf('aca.sparechange.localhost', 'provider-domain', 'localhost')).toBe('aca');
});

test.each([
  ['aca.example', 'aca.example', 'aca'],
  ['ACA.example:4000', 'aca.example', 'aca'],
  ['aca.club.example', 'aca.club.example', 'aca'],
  ['other.example', 'aca.example', 'default'],
  ['www.aca.example', 'aca.example', 'default'],
  ['localhost', 'aca.example', 'default'],
])('under the product-host reading %s, of a product at %s, is the tenant %s', (host, product, key) => {
  expect(tenantKeyOf(host, 'product-host', product)).toBe(key);
});
