import { expect, test } from 'vitest';
import { tenantSites } from '#tenants/tenant-site.ts';
import { aTenant, someTenants } from '#testing/makers.ts';
import { isOurOrigin } from './embedded-identity.ts';

const tenants = someTenants(aTenant(), aTenant({ key: 'aca' }));

function allows(productUrl: string, isProduction: boolean) {
  const sites = tenantSites({ productUrl, productDomain: 'give.example', tenantRule: 'provider-domain' }, tenants);
  return (origin: string) => isOurOrigin(new URL(origin), { config: { productUrl, isProduction }, sites });
}

test('an email with a code leads to the product and to tenants we know, and to nobody else below the domain', () => {
  const live = allows('https://give.example', true);
  for (const origin of ['https://give.example', 'https://aca.give.example']) expect(live(origin)).toBe(true);
  for (const origin of [
    'http://aca.give.example',
    'https://aca.give.example:8443',
    'https://blog.give.example',
    'https://aca.give.example.evil.example',
    'https://evil.example',
    'https://localhost',
  ])
    expect(live(origin)).toBe(false);
});

test('in development any port of this machine will do', () => {
  expect(allows('http://localhost:4000', false)('http://localhost:5173')).toBe(true);
});
