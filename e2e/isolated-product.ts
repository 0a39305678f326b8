import { test as base } from '@playwright/test';
import { aProduct, inDatabase, stopProduct } from './product.ts';
import { product } from './supporter.ts';

interface WorkerFixtures {
  product: string;
  settings: Record<string, string>;
  home: string;
  ownerLink: string;
}

/** A product for these tests alone, whose clock they may move; all helpers for the shared product use it. */
export const test = base.extend<{ onePerson: undefined }, WorkerFixtures>({
  /** Tests that name another product share none with the rest. */
  product: ['shared', { scope: 'worker', option: true }],
  /** Settings of the product and of its operator's commands. */
  settings: [{}, { scope: 'worker', option: true }],
  /** The link that its start prints for an owner of the console. */
  ownerLink: [
    async ({ settings }, use) => {
      Object.assign(process.env, settings);
      const { place, program } = await aProduct();
      process.env.E2E_PORT = String(place.port);
      process.env.E2E_DATA_DIR = place.dataDir;
      await use(/its owner\s+(\S+)/.exec(program.said())?.[1] ?? '');
      await stopProduct(program);
    },
    { scope: 'worker', auto: true },
  ],
  home: [({ ownerLink: _started }, use) => use(product()), { scope: 'worker', auto: true }],
  /** Makes one person enough again: a worker's tests share the product, and an invitation would otherwise wait. */
  onePerson: [
    async ({ home: _home }, use) => {
      await use(undefined);
      await inDatabase(process.env.E2E_DATA_DIR ?? '', (db) => db`delete from approval_rule`);
    },
    { auto: true },
  ],
  baseURL: ({ home }, use) => use(home),
});
