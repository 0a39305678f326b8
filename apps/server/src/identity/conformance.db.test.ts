import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { aService } from './testing/service.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const script = fileURLToPath(new URL('../../../../../shared/identity-conformance.mjs', import.meta.url));
const command = fileURLToPath(new URL('./testing/command.ts', import.meta.url));
const run = promisify(execFile);

test('the conformance script passes wholly in its strict profile', { timeout: 120_000 }, async (context) => {
  if (!existsSync(script)) context.skip(`${script} is not here: nothing was checked`);
  const service = await aService();
  const ops = `'${process.execPath}' '${command}'`;
  const environment = {
    ...process.env,
    IDENTITY_PROFILE: 'strict',
    IDENTITY_URL: service.url,
    DATABASE_URL: service.database.url,
    OOB_CMD: `${ops} code "$EMAIL"`,
    DISABLE_CMD: `${ops} disable "$EMAIL"`,
    EXPIRE_OOB_CMD: `${ops} expire-code "$OOB_CODE"`,
  };
  const { stdout } = await run(process.execPath, [script], { cwd: root, env: environment }).catch(
    (failure: { stdout: string }) => failure,
  );
  const failures = stdout.split('\n').filter((line) => / (FAIL|skip)( |$)/.test(line));
  expect(failures).toEqual([]);
  expect(stdout.trim().split('\n').at(-1)).toBe('116 passed, 0 failed');
  await service.close();
});
