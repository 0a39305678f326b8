import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { aProduct, stopProduct } from './product.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const script = fileURLToPath(new URL('../../shared/identity-conformance.mjs', import.meta.url));
const ops = `${process.execPath} apps/server/dist/ops.js`;

test('the identity service passes the conformance script without failures or skips', async () => {
  test.skip(!existsSync(script), 'the script lies beside the checkout, in ../shared, and is not there');
  const { place, home, program } = await aProduct();
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [script],
      {
        cwd: root,
        maxBuffer: 10_000_000,
        env: {
          ...process.env,
          PORT: String(place.port),
          DATA_DIR: place.dataDir,
          IDENTITY_PROFILE: 'strict',
          IDENTITY_URL: home.replace('localhost', '127.0.0.1'),
          OOB_CMD: `${ops} identity code "$EMAIL"`,
          DISABLE_CMD: `${ops} identity disable "$EMAIL"`,
          EXPIRE_OOB_CMD: `${ops} identity expire-code "$OOB_CODE"`,
        },
      },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  const unhappy = output.split('\n').filter((line) => / (FAIL|skip)\b/.test(line));
  expect(unhappy).toEqual([]);
  expect(output).toContain('116 passed, 0 failed');
  expect(await stopProduct(program)).toBe(0);
});
