import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const { withAddresses }: { withAddresses: (lockText: string, registry: string) => string } = await import(
  new URL('with-addresses.mjs', import.meta.url).href
);

const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })) });
const addressesOf = (packages: Record<string, object>, registry: string): Record<string, string | undefined> => {
  const lock = Lock.parse(JSON.parse(withAddresses(JSON.stringify({ packages }), registry)));
  return Object.fromEntries(Object.entries(lock.packages).map(([path, { resolved }]) => [path, resolved]));
};
const held = { version: '1.2.3', integrity: 'sha512-1' };

test.each(['https://registry.test', 'https://registry.test/'])('a package has its address at %s', (registry) => {
  expect(
    addressesOf(
      {
        'node_modules/one': held,
        'node_modules/one/node_modules/@scope/two': held,
        'node_modules/alias': { ...held, name: '@scope/real' },
      },
      registry,
    ),
  ).toEqual({
    'node_modules/one': 'https://registry.test/one/-/one-1.2.3.tgz',
    'node_modules/one/node_modules/@scope/two': 'https://registry.test/@scope/two/-/two-1.2.3.tgz',
    'node_modules/alias': 'https://registry.test/@scope/real/-/real-1.2.3.tgz',
  });
});

test('what is a folder of ours, has an address, or is held by no hash stays as it is', () => {
  const packages = {
    '': { name: 'sparechange' },
    'apps/web': { version: '1.0.0' },
    'node_modules/@sparechange/web': { resolved: 'apps/web', link: true },
    'node_modules/one': { ...held, resolved: 'https://other.test/one.tgz' },
    'node_modules/two': { version: '1.2.3' },
  };
  expect(JSON.parse(withAddresses(JSON.stringify({ packages }), 'https://registry.test'))).toEqual({ packages });
});

test('every package of ours that a hash holds has one', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  const { packages } = Lock.parse(JSON.parse(withAddresses(text, 'https://registry.test')));
  const without = Object.entries(packages).filter(([path, { integrity, resolved }]) => integrity && !resolved && path);
  expect(without).toEqual([]);
});
