import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '#config/config.ts';
import { openMetrics, startServer } from './server.ts';

test('in production the sandbox alone refuses to start, in a sentence', async () => {
  const config = { ...parseConfig({}), isProduction: true, sandbox: undefined };
  await expect(startServer(config, new Set(['sandbox']))).rejects.toThrow('refused (APP_ENV=production)');
});

/** Takes a port of this machine while the work runs. */
async function withTakenPort<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    return await work((other.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
}

const logged: string[] = [];
const log = pino({}, { write: (line) => logged.push(line) });
const open = (metricsPort: number, isMetricsPortChosen: boolean, metricsHost = '127.0.0.1') =>
  openMetrics({ config: { metricsHost, metricsPort, isMetricsPortChosen }, metrics: { text: async () => '' }, log });

test('metrics whose usual port is taken are not served, and the log says so', async () => {
  expect(await withTakenPort((port) => open(port, false))).toBeUndefined();
  expect(logged).toEqual([expect.stringContaining('metrics are not served: the port is taken')]);
});

test('a metrics port that was chosen and is taken keeps the product from starting', async () => {
  await expect(withTakenPort((port) => open(port, true))).rejects.toThrow('set METRICS_PORT to a free one');
});

test('a metrics address of another machine keeps the product from starting, on any port', async () => {
  await expect(open(59_101, false, '192.0.2.1')).rejects.toThrow(/Metrics cannot be served .*EADDRNOTAVAIL/);
});
