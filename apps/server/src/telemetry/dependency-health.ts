import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';

/** The health of the product's dependencies besides its database. */
export type Needs = Record<string, 'ready' | 'not ready'>;

export type Probe = () => Promise<boolean>;

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'smtp:': 587, 'smtps:': 465 };

/**
 * Returns whether somebody listens at an address. Nothing is sent: a provider's limits are not for our health checks.
 */
export const listensAt =
  (address: string, timeoutMs = 2_000): Probe =>
  () =>
    new Promise((resolve) => {
      const { hostname, port, protocol } = new URL(address);
      const host = hostname.replace(/^\[|\]$/g, '');
      const socket = connect({ host, port: Number(port) || (defaultPorts[protocol] ?? 443), timeout: timeoutMs });
      const settle = (isThere: boolean) => {
        socket.destroy();
        resolve(isThere);
      };
      socket
        .once('connect', () => settle(true))
        .once('timeout', () => settle(false))
        .once('error', () => settle(false));
    });

/** Returns whether files can be written to a folder. */
export const takesFiles =
  (folder: string): Probe =>
  () =>
    mkdir(folder, { recursive: true, mode: 0o700 })
      .then(() => access(folder, constants.W_OK))
      .then(
        () => true,
        () => false,
      );

/**
 * Answers which dependencies are available. Only the first caller waits for it: after that everybody gets the last
 * known state, refreshed at most every few seconds, so that asking often costs nothing.
 */
export function watchNeeds(probes: Record<string, Probe>, { freshMs = 5_000, now = () => Date.now() } = {}) {
  let known: Needs | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<Needs> | undefined;

  async function look(): Promise<Needs> {
    lookedAt = now();
    const states = Object.entries(probes).map(
      async ([name, probe]) => [name, (await probe()) ? 'ready' : 'not ready'] as const,
    );
    known = Object.fromEntries(await Promise.all(states));
    return known;
  }

  return async (): Promise<Needs> => {
    if (!looking && now() - lookedAt >= freshMs) {
      looking = look().finally(() => {
        looking = undefined;
      });
    }
    return known ?? looking ?? {};
  };
}

/**
 * Returns the body of /readyz while the database answers: an unavailable provider degrades the product and does not end
 * it.
 */
export const describeReadiness = (needs: Needs) => ({
  status: Object.values(needs).includes('not ready') ? ('degraded' as const) : ('ready' as const),
  providers: needs,
});
