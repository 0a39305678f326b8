import { createServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { aPlace, startProduct, stopProduct, untilReady } from './product.ts';

test('all wrong variables are named together, and nothing starts', async () => {
  const program = startProduct(await aPlace(), { PORT: 'forty', TENANT_RULE: 'guess' });
  expect(await program.ended).toBe(1);
  expect(program.said()).toContain('PORT=forty');
  expect(program.said()).toContain('TENANT_RULE=guess');
});

test('production refuses the sandbox and default secrets, each by name', async () => {
  const program = startProduct(await aPlace(), { APP_ENV: 'production' });
  expect(await program.ended).toBe(1);
  for (const name of ['DATA_KEY', 'BASIQ_API_URL', 'BASIQ_API_KEY', 'ZEPTO_API_URL', 'ZEPTO_TOKEN', 'SMTP_URL']) {
    expect(program.said()).toContain(`${name} is not set`);
  }
});

test('a taken port is said in one sentence', async () => {
  const place = await aPlace();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(place.port, '127.0.0.1', resolve));
  const program = startProduct(place);
  expect(await program.ended).toBe(1);
  expect(program.said()).toContain(`Port ${place.port} is taken`);
  other.close();
});

test('a second start on the same data says so and harms nothing; the first ends in order and starts again', async () => {
  const place = await aPlace();
  const first = startProduct(place);
  await untilReady(first);
  const elsewhere = await aPlace();
  const second = startProduct({ port: elsewhere.port, dataDir: place.dataDir });
  expect(await second.ended).toBe(1);
  expect(second.said()).toContain('Another Sparechange is running');
  expect((await fetch(`http://localhost:${place.port}/readyz`)).status).toBe(200);
  expect(await stopProduct(first)).toBe(0);
  const again = startProduct(place);
  await untilReady(again);
  expect(await stopProduct(again)).toBe(0);
});
