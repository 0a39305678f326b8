import { mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { buildSandbox, type Sandbox } from './build-sandbox.ts';
import { type Config, readConfig } from './config.ts';

/** Longest wait for open connections before the process exits. */
const drainForMs = 5_000;

const retryForMs = 3_000;
const retryEveryMs = 150;
const sqliteBusy = 5;

const isTaken = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';

/** Returns whether another process has the database open. */
const isInUse = (cause: unknown): boolean =>
  cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;

/** Tries again while a port is taken: a sandbox whose parent was killed may still be going away. */
async function retryWhileTaken<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const giveUpAt = Date.now() + retryForMs;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (!isTaken(cause) || Date.now() >= giveUpAt) throw cause;
      await wait(retryEveryMs);
    }
  }
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

async function start({ port, dataDir, sandbox: options }: Config): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const sandbox = await retryWhileTaken(() => buildSandbox(options));
  endWithParent(sandbox);
  // Localhost is IPv4 and, where available, IPv6.
  await retryWhileTaken(() => sandbox.app.listen({ port, host: 'localhost' }));
  process.stdout.write(`Sandbox ready at http://localhost:${port} (mail on port ${options.smtpPort})\n`);
  process.send?.('ready');
}

/** Ends in order on a signal or its parent's end. */
function endWithParent(sandbox: Sandbox): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(0), drainForMs).unref();
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (process.connected) process.on('disconnect', end);
}

const config = readConfig(process.env);
if ('refusal' in config) refuse(config.refusal);

try {
  await start(config);
} catch (cause) {
  if (isInUse(cause)) refuse(`The sandbox cannot start: another one is using the data directory ${config.dataDir}.`);
  if (!isTaken(cause)) throw cause;
  const { port, sandbox } = config;
  refuse(
    `The sandbox cannot start: port ${port} or its mail port ${sandbox.smtpPort} is taken. Set SANDBOX_PORT or SANDBOX_SMTP_PORT.`,
  );
}
