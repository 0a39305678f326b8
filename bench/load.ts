import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  connections: number;
  /** Whole HTTP requests, taken in turn. */
  requests: Buffer[];
}

/** The bytes of a POST with a JSON body. */
export function httpPost(path: string, headers: Record<string, string>, body: unknown): Buffer {
  const text = JSON.stringify(body);
  const all = {
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}

/** Sends one request after the other on each connection for so long; answers the requests answered a second. Throws unless each is 200. */
export async function measureLoad({ port, connections, requests }: Load, ms: number): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  let next = 0;
  const run = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let text = '';
      const ask = () => socket.write(requests[next++ % requests.length] ?? '');
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
        if (text.length < head + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 200 ')) return reject(new Error(text.slice(0, 2_000)));
        text = '';
        answered += 1;
        if (performance.now() - startedAt < ms) ask();
        else resolve();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server hung up.')));
      ask();
    }).finally(() => socket.removeAllListeners('close').destroy());
  await Promise.all(
    Array.from({ length: connections }, () => run(connect({ port, host: '127.0.0.1', noDelay: true }))),
  );
  return answered / ((performance.now() - startedAt) / 1_000);
}
