import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Upstream {
  port: number;
  agent: Agent;
  isReady: boolean;
}

/** Probes each server five times a second; one that just refused gets no new calls. */
const askEveryMs = 200;

/**
 * A proxy as production has one: it keeps connections to the servers, sends each call to one that is ready, and never
 * sends a call again. A call that no server answers is a 502.
 */
export async function startProxy(ports: number[]) {
  const upstreams: Upstream[] = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true }), isReady: false }));
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const ready = upstreams.filter(({ isReady }) => isReady);
    const upstream = ready[turn++ % ready.length];
    const fail = () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end());
    if (!upstream) return fail();
    const { method = 'GET', url = '/', headers } = incoming;
    const { port, agent } = upstream;
    const passed = request({ host: '127.0.0.1', port, agent, method, path: url, headers }, (answer) => {
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.on('error', fail).pipe(outgoing);
    });
    passed.on('error', fail);
    incoming.pipe(passed);
  });
  const ask = (upstream: Upstream) =>
    fetch(`http://127.0.0.1:${upstream.port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      async (answer) => {
        await answer.arrayBuffer();
        upstream.isReady = answer.ok;
      },
      () => {
        upstream.isReady = false;
      },
    );
  const asking = setInterval(() => upstreams.map(ask), askEveryMs);
  server.keepAliveTimeout = 60_000; // otherwise it closes connections that a busy machine leaves idle for 5 s
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    home: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    countReady: () => upstreams.filter(({ isReady }) => isReady).length,
    close: () => {
      clearInterval(asking);
      server.close();
      server.closeAllConnections();
      for (const { agent } of upstreams) agent.destroy();
    },
  };
}
