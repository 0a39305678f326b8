import { existsSync } from 'node:fs';
import { ConfigProblem, parseConfig } from './config/config.ts';
import { parseRoles } from './config/roles.ts';
import { startServer } from './runtime/server.ts';

const envFile = '.env';
if (existsSync(envFile)) process.loadEnvFile(envFile);

/** Ends with one clear sentence and exit code 1 where the operator can put it right; anything else is a bug and shows its stack. */
function fail(error: unknown): never {
  const { isExpected } = error as { isExpected?: boolean };
  const text = error instanceof ConfigProblem || isExpected ? (error as Error).message : (error as Error).stack;
  console.error(`\nSparechange did not start. ${text}\n`);
  process.exit(1);
}

try {
  const config = parseConfig(process.env);
  const server = await startServer(config, parseRoles(process.argv.slice(2)));
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const overdue = setTimeout(
      () => {
        console.error(`\nSparechange is cut off: ending ${server.ending()} takes too long.\n`);
        process.exit(1);
      },
      config.drainSeconds * 1_000 + 9_500,
    );
    const failure = await server.stop().then(
      () => undefined,
      (error: Error) => error,
    );
    clearTimeout(overdue);
    if (failure) console.error(`\nSparechange ended, but not in order: ${failure.message}\n`);
    process.exit(failure ? 1 : 0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  fail(error);
}
