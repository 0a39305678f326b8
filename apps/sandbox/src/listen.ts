import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const retryForMs = 3_000;
const retryEveryMs = 150;

export const isTaken = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';

const sqliteBusy = 5;

/** Another process has the database open. */
export const isInUse = (cause: unknown): boolean =>
  cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy;

/** A sandbox whose parent was killed may still be going away, so a taken port is tried again for a while. */
export async function insist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const giveUpAt = Date.now() + retryForMs;
  for (;;) {
    try {
      return await attempt();
    } catch (cause) {
      if (!isTaken(cause) || Date.now() >= giveUpAt) throw cause;
      await setTimeout(retryEveryMs);
    }
  }
}

/** Listens on localhost, in IPv4 and, where available, IPv6. */
export const listen = (app: FastifyInstance, port: number): Promise<string> => app.listen({ port, host: 'localhost' });
