import { expect, test } from 'vitest';
import { aTenant, someTenants } from '#testing/makers.ts';
import { type SiteOptions, tenantKeyOf, tenantSites } from './tenant-site.ts';

const tenants = someTenants(aTenant(), aTenant({ key: 'aca' }), aTenant({ key: 'riverside-rovers' }));
const live: SiteOptions = {
  productUrl: 'https://give.example',
  productDomain: 'give.example',
  tenantRule: 'provider-domain',
};
const local: SiteOptions = {
  productUrl: 'http://localhost:4000',
  productDomain: 'sparechange.localhost',
  tenantRule: 'provider-domain',
};
const own: SiteOptions = {
  productUrl: 'https://aca.example',
  productDomain: 'aca.example',
  tenantRule: 'product-host',
};

test.each([
  [live, 'aca', 'https://aca.give.example/'],
  [live, 'default', 'https://give.example/'],
  [live, 'unknown', 'https://give.example/'],
  [local, 'aca', 'http://aca.sparechange.localhost:4000/'],
  [local, 'default', 'http://localhost:4000/'],
  [own, 'aca', 'https://aca.example/'],
  [own, 'riverside-rovers', 'https://riverside-rovers.example/'],
])('with %j the tenant %s is at home at %s', (options, key, site) => {
  expect(tenantSites(options, tenants).siteOf(key).href).toBe(site);
});

test('a brand that was just saved has the address at which it will be', () => {
  expect(tenantSites(local, tenants).addressOf('just-saved').href).toBe(
    'http://just-saved.sparechange.localhost:4000/',
  );
});

test.each([live, local])('the host of a site is read back as its tenant (%j)', (options) => {
  const { siteOf } = tenantSites(options, tenants);
  for (const { key } of tenants.list())
    expect(tenantKeyOf(siteOf(key).host, options.tenantRule, options.productDomain)).toBe(key);
});

test('only the product and known tenants are ours, on its own port', () => {
  const { isOurs } = tenantSites(local, tenants);
  for (const host of ['localhost:4000', 'sparechange.localhost:4000', 'ACA.sparechange.localhost:4000'])
    expect(isOurs(host)).toBe(true);
  for (const host of [
    'aca.sparechange.localhost',
    'aca.sparechange.localhost:4001',
    'nobody.sparechange.localhost:4000',
    'evil.test',
    '',
  ])
    expect(isOurs(host)).toBe(false);
});
