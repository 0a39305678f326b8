import { connect, createServer, type Socket } from 'node:net';

export interface TestProxy {
  /** The address through it. */
  url: string;
  /** Ends every connection and refuses new ones until `mend`. */
  cut(): void;
  /** Passes nothing on and closes nothing until `mend`, as a machine that hangs. */
  freeze(): void;
  mend(): void;
  /** The connections that were ever asked for. */
  count(): number;
  close(): void;
}

/** Passes connections on to a database server, as a network that may fail. */
export async function aProxy(to: string): Promise<TestProxy> {
  const target = new URL(to);
  const sockets = new Map<Socket, Socket>();
  let isCut = false;
  let isFrozen = false;
  let count = 0;
  const server = createServer((client) => {
    count += 1;
    if (isCut) return client.destroy();
    const there = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, there],
      [there, client],
    ] as const) {
      sockets.set(socket, other);
      if (!isFrozen) socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const through = new URL(to);
  through.port = String(typeof address === 'object' ? address?.port : '');
  const cut = () => {
    isCut = true;
    for (const socket of sockets.keys()) socket.destroy();
  };
  return {
    url: through.href,
    cut,
    freeze: () => {
      isFrozen = true;
      for (const [socket, other] of sockets) socket.unpipe(other);
    },
    mend: () => {
      isCut = false;
      if (isFrozen) for (const [socket, other] of sockets) socket.pipe(other);
      isFrozen = false;
    },
    count: () => count,
    close: () => {
      cut();
      server.close();
    },
  };
}
