import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts the process with a channel to its parent. */
function start(environment: Record<string, string>) {
  const child = fork(join(import.meta.dirname, 'main.ts'), {
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...environment },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.push(child);
  let out = '';
  let error = '';
  child.stdout?.on('data', (data) => {
    out += data;
  });
  child.stderr?.on('data', (data) => {
    error += data;
  });
  const ended = once(child, 'exit').then(([code]) => ({ code, out, error }));
  return { child, ended, ready: () => expect.poll(() => out, { timeout: 60_000 }).toContain('ready') };
}

test('says one line when it answers, and ends when its parent is gone', async () => {
  const [port, smtpPort] = [await aFreePort(), await aFreePort()];
  const { child, ended, ready } = start({ SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort) });
  await ready();
  expect(await (await fetch(`http://localhost:${port}/healthz`)).json()).toEqual({ status: 'ok' });
  child.disconnect();
  expect(await ended).toEqual({
    code: 0,
    out: `Sandbox ready at http://localhost:${port} (mail on port ${smtpPort})\n`,
    error: '',
  });
}, 90_000);

test('ends in order on SIGTERM', async () => {
  const [port, smtpPort] = [await aFreePort(), await aFreePort()];
  const { child, ended, ready } = start({ SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort) });
  await ready();
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, error: '' });
}, 90_000);

test('names a port that stays taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { ended } = start({ SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(await aFreePort()) });
  expect(await ended).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringContaining(`port ${port} or its mail port`),
  });
  other.close();
}, 90_000);

test('names a mail port that stays taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: smtpPort } = other.address() as AddressInfo;
  const { ended } = start({ SANDBOX_PORT: String(await aFreePort()), SANDBOX_SMTP_PORT: String(smtpPort) });
  expect(await ended).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringContaining(`or its mail port ${smtpPort} is taken`),
  });
  other.close();
}, 90_000);
