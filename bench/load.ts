import { connect, type Socket } from 'node:net';
import { percentile, rounded } from './stopwatch.ts';

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

export interface Answered {
  answered: number;
  perSecond: number;
  /** 95th percentile of response times. */
  p95Ms: number;
}

/** Sends one request after the other on each connection until it is over. Throws unless each is answered 200. */
export async function measureLoad({ port, connections, requests }: Load, isOver: () => boolean): Promise<Answered> {
  const startedAt = performance.now();
  const times: number[] = [];
  let next = 0;
  const run = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let text = '';
      let askedAt = 0;
      const ask = () => {
        askedAt = performance.now();
        socket.write(requests[next++ % requests.length] ?? '');
      };
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
        if (text.length < head + 4 + length) return;
        if (!text.startsWith('HTTP/1.1 200 ')) return reject(new Error(text.slice(0, 2_000)));
        text = '';
        times.push(performance.now() - askedAt);
        if (isOver()) resolve();
        else ask();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server hung up.')));
      ask();
    }).finally(() => socket.removeAllListeners('close').destroy());
  await Promise.all(
    Array.from({ length: connections }, () => run(connect({ port, host: '127.0.0.1', noDelay: true }))),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    answered: times.length,
    perSecond: rounded(times.length / seconds, 1),
    p95Ms: rounded(percentile(times, 0.95), 1),
  };
}

/** Becomes true after `ms` milliseconds. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
