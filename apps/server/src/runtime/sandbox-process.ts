import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '#config/config.ts';
import { StartProblem } from '#errors.ts';

const program = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));

/** Keeps the heap's young part at a few MB: the sandbox makes little, and memory it once took stays taken. */
const smallHeap = '--max-semi-space-size=4';

export interface SandboxProcess {
  stop(): Promise<void>;
}

/** Starts the sandbox as a process of its own; it ends when this one does, however this one ends. */
export async function startSandbox(config: Config): Promise<SandboxProcess> {
  const { sandbox, basiq, zepto, productUrl, port } = config;
  if (!sandbox) throw new StartProblem('The sandbox is off (SANDBOX=off) or refused (APP_ENV=production).');
  const child = spawn(process.execPath, [smallHeap, program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      SANDBOX_PORT: String(sandbox.port),
      SANDBOX_SMTP_PORT: String(sandbox.smtpPort),
      SANDBOX_REDIRECT_URL: `${productUrl}/consented`,
      DATA_DIR: config.dataDir,
      BASIQ_API_KEY: basiq.apiKey,
      BASIQ_WEBHOOK_URL: `http://localhost:${port}/webhooks/basiq`,
      BASIQ_WEBHOOK_SECRET: basiq.webhookSecret,
      ZEPTO_TOKEN: zepto.token,
      ZEPTO_WEBHOOK_URL: `http://localhost:${port}/webhooks/zepto`,
      ZEPTO_WEBHOOK_SECRET: zepto.webhookSecret,
    },
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  await untilReady(child, sandbox.url, () => said);
  return {
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await Promise.race([once(child, 'exit'), new Promise((resolve) => setTimeout(resolve, 4_000))]);
      child.kill('SIGKILL');
    },
  };
}

const startMs = 20_000;

/** Waits until the sandbox says that it listens. */
async function untilReady(child: ChildProcess, url: string, said: () => string): Promise<void> {
  const stops = new AbortController();
  const { signal } = stops;
  try {
    const outcome = await Promise.race([
      once(child, 'message', { signal }).then(() => 'ready'),
      once(child, 'close', { signal }).then(() => 'ended'),
      wait(startMs, 'silent', { signal }),
    ]);
    if (outcome === 'ready') return;
    if (outcome === 'ended') throw new StartProblem(`The sandbox did not start. ${said().trim()}`);
    child.kill('SIGKILL');
    throw new StartProblem(`The sandbox does not answer at ${url}.`);
  } finally {
    stops.abort();
  }
}
