import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';

export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  rawBody: string;
}

/** An answer, or nothing at all: the connection is cut after the time given, or held until the client gives up. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | { cutAfterMs: number }
  | 'never';

export interface LocalServer {
  url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'never') return;
  if ('cutAfterMs' in reply) {
    setTimeout(() => response.destroy(), reply.cutAfterMs);
    return;
  }
  const { status = 200, headers = {}, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
}

/** A local server answering as tests say and recording requests. */
export async function localServer(
  answer: (request: Received, count: number) => Reply | Promise<Reply>,
): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let rawBody = '';
    for await (const part of request) rawBody += part;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = { method: request.method ?? '', path: request.url ?? '', headers, rawBody };
    received.push(asked);
    send(response, await answer(asked, received.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Finds a free port for processes that need a number. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
