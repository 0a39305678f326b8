import { expect, test } from 'vitest';
import { hostTenant, tenantHost } from './host.ts';

const domain = 'sparechange.localhost';

test.each([
  ['aca.sparechange.localhost', 'aca'],
  ['aca.sparechange.localhost:4000', 'aca'],
  ['ACA.Sparechange.Localhost.', 'aca'],
  ['harbour-hounds.staging.sparechange.localhost', 'harbour-hounds'],
  ['sparechange.localhost', 'default'],
  ['localhost', 'default'],
  ['127.0.0.1:4000', 'default'],
  ['aca.example.org', 'default'],
  ['notsparechange.localhost', 'default'],
])('under the provider domain rule %s is %s', (host, key) => {
  expect(hostTenant(host, 'provider-domain', domain)).toBe(key);
});

test('the provider domain itself is default, however many labels it has', () => {
  expect(hostTenant('give.example.com.au', 'provider-domain', 'give.example.com.au')).toBe('default');
});

test('a host with two labels is default, even under a domain of one label', () => {
  expect(hostTenant('aca.localhost', 'provider-domain', 'localhost')).toBe('default');
});

test.each([
  ['sparechange.localhost:4000', 'sparechange'],
  ['aca.sparechange.localhost', 'default'],
  ['localhost', 'default'],
  ['10.0.0.7', 'default'],
  ['aca.example.org', 'default'],
])('under the product host rule %s is %s', (host, key) => {
  expect(hostTenant(host, 'product-host', domain)).toBe(key);
});

test('a tenant is at home on its label under the domain, on the same port', () => {
  expect(tenantHost('aca', 'provider-domain', domain, 'localhost:4000')).toBe('aca.sparechange.localhost:4000');
  expect(tenantHost('default', 'provider-domain', domain, 'aca.sparechange.localhost')).toBe(domain);
});

test("a tenant's own product host differs in its first label", () => {
  expect(tenantHost('aca', 'product-host', 'hounds.example.org', 'hounds.example.org:80')).toBe('aca.example.org:80');
});
