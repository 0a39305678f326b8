import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProductMetrics } from './product-metrics.ts';

/** Serves /metrics, and /healthz for processes without an API; rejects if the port is taken. */
export async function serveMetrics(
  metrics: Pick<ProductMetrics, 'text'>,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && request.url === '/healthz') return response.end();
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await metrics.text());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${actual}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
