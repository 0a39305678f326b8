import { existsSync } from 'node:fs';
import { ConfigProblem, parseConfig } from './config/config.ts';
import { parseRoles } from './config/roles.ts';
import { isDatabaseUnavailable } from './db/database-unavailable.ts';
import { startServer } from './runtime/server.ts';

const envFile = '.env';
if (existsSync(envFile)) process.loadEnvFile(envFile);

// postgres.js asks for array types on each new connection and lets nobody catch what goes wrong then; a database that
// goes away in that moment must not take the server with it. Everything else that nobody caught ends the program.
process.on('unhandledRejection', (error) => {
  if (!isDatabaseUnavailable(error)) throw error;
});

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
    const overdue = setTimeout(() => {
      console.error(`\nSparechange is cut off: ending ${server.ending()} takes too long.\n`);
      process.exit(1);
    }, 9_500);
    await server.stop();
    clearTimeout(overdue);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (error) {
  fail(error);
}
