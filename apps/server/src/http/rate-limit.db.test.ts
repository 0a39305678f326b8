import {
  createHandoff,
  donateNow,
  exchangeHandoff,
  extendConsent,
  findClub,
  retrieveClubs,
} from '@sparechange/contract';
import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { ownDatabase } from '#testing/database.ts';
import { aWholeApp, identityKey } from '#testing/whole-app.ts';
import { type Asked, byNetwork, refuseTooMany } from './call-limits.ts';
import { type Limit, type RateLimits, rateLimits } from './rate-limit.ts';

const database = ownDatabase();
beforeEach(() => database.rows`truncate rate_limits`);

/** Refills so slowly that no test sees it. */
const limit = (burst: number, lease = 1): Limit => ({ burst, everySeconds: 3_600, lease });
const someServers = (count: number) => Array.from({ length: count }, () => rateLimits(database.pool));

describe('a limit', () => {
  test('lets its burst pass and then says how long to wait', async () => {
    const [server] = someServers(1);
    const answers = [];
    for (let call = 0; call < 5; call += 1) answers.push(await server?.take('a', 'x', limit(3)));
    expect(answers).toEqual([0, 0, 0, 3_600, 3_600]);
  });

  test.each([1, 7])('is one limit for any number of servers and concurrent calls, leases of %i', async (lease) => {
    const more = 60; // than the limit, for each: what is leased is spent
    const calls = someServers(4).flatMap((server) =>
      Array.from({ length: more }, () => server.take('a', 'x', limit(42, lease))),
    );
    const passed = (await Promise.all(calls)).filter((seconds) => seconds === 0).length;
    expect(passed).toBe(42);
  });

  test('is of one name and one caller', async () => {
    const [server] = someServers(1);
    const takes = [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'x'],
      ['a', 'x'],
    ].map(([name = '', about = '']) => server?.take(name, about, limit(1)));
    expect(await Promise.all(takes)).toEqual([0, 0, 0, 3_600]);
  });

  test('refills with time', async () => {
    const quick: Limit = { burst: 1, everySeconds: 0.05, lease: 1 };
    const [server] = someServers(1);
    let refused = false;
    for (let passed = 0; passed < 3; ) {
      const seconds = await server?.take('a', 'x', quick);
      if (seconds === 0) passed += 1;
      else refused = true;
    }
    expect(refused).toBe(true);
  });

  test('asks the database once for a lease, and not again while the bucket is empty', async () => {
    const [server] = someServers(1);
    for (let call = 0; call < 20; call += 1) await server?.take('a', 'x', limit(10, 10));
    await database.rows`delete from rate_limits`;
    expect(await server?.take('a', 'x', limit(10, 10))).toBe(36_000);
  });

  test('can be widened and turned off', async () => {
    const wide = rateLimits(database.pool, 2);
    const off = rateLimits(database.pool, 0);
    const answers = [];
    for (let call = 0; call < 5; call += 1)
      answers.push(await wide.take('a', 'x', limit(2)), await off.take('a', 'x', limit(2)));
    expect(answers).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1_800, 0]);
  });

  test('leaves nothing behind: neither names in the table nor rows that limit nobody', async () => {
    const [server] = someServers(1);
    await server?.take('a', 'robin@example.com', { burst: 5, everySeconds: 0.001, lease: 1 });
    await server?.take('b', '192.0.2.1', limit(5));
    expect(JSON.stringify(await database.rows`select * from rate_limits`)).not.toMatch(/robin|192/);
    while ((await database.rows`select from rate_limits where drained_at < now()`).length === 0);
    await server?.tidy();
    expect(await database.rows`select key from rate_limits`).toHaveLength(1);
  });
});

describe('a limit by network', () => {
  const rules = byNetwork({ name: 'a', limit: limit(1) });
  const passed = async (ips: string[]) => {
    const [server] = someServers(1);
    let count = 0;
    for (const ip of ips)
      await refuseTooMany(server as RateLimits, rules, { request: { ip } as FastifyRequest } as Asked).then(
        () => (count += 1),
        () => {},
      );
    return count;
  };
  const ofSite = (site: string) => Array.from({ length: 20 }, (_, network) => `2001:db8:${site}:${network}::1`);

  test('lets a site of IPv6 pass as sixteen networks do, however many of its own it takes', async () => {
    expect(await passed([...ofSite('a'), ...ofSite('a')])).toBe(16);
    expect(await passed(ofSite('b'))).toBe(16);
  });

  test('counts an IPv4 address alike in every way of writing it', async () => {
    expect(await passed(['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107', '203.0.113.8'])).toBe(2);
  });
});

describe('the API', () => {
  const api = ownApp({ edge: { rateLimitFactor: 0.1 } }, { trustProxy: true });
  const from = (ip: string, uid?: string) => ({ uid, headers: { 'x-forwarded-for': ip } });
  /** The statuses of that many calls, one after the other. */
  const statuses = async (count: number, send: () => Promise<{ status: number }>): Promise<number[]> => {
    const seen = [];
    for (let call = 0; call < count; call += 1) seen.push((await send()).status);
    return seen;
  };

  test('answers 429 with Retry-After in the shape of every refusal', async () => {
    const send = () => api.call(extendConsent, { email: 'robin@example.com' }, from('192.0.2.9'));
    const seen = await statuses(3, send);
    expect(seen.at(-1)).toBe(429);
    const { body, headers } = await send();
    expect(body.error).toMatchObject({ code: 'too-many-requests', message: expect.any(String) });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('limits renewal links by the address asked about, known or not, from any network', async () => {
    const seen = await statuses(3, () =>
      api.call(
        extendConsent,
        { email: 'Robin2@example.com ' },
        from(`192.0.2.${10 + Math.floor(Math.random() * 200)}`),
      ),
    );
    expect(seen).toEqual([200, 429, 429]);
  });

  test('limits donations by supporter, not by network', async () => {
    const [robin, kim] = [await api.supporter(), await api.supporter()];
    const give = (who: typeof robin) => () =>
      api.call(donateNow, { values: { amount: 1, cdrid: who.supporterId } }, from('192.0.2.20', who.uid));
    expect(await statuses(2, give(robin))).toEqual([200, 429]);
    expect(await statuses(1, give(kim))).toEqual([200]);
  });

  test('limits codes for other hosts by supporter, and attempts to use one by network', async () => {
    const { uid } = await api.supporter();
    const host = 'riverside-rovers.sparechange.example';
    expect(await statuses(3, () => api.call(createHandoff, { userId: uid, host }, from('192.0.2.40', uid)))).toEqual([
      200, 200, 429,
    ]);
    const guesses = await statuses(31, () => api.call(exchangeHandoff, { handoff: 'a guess' }, from('192.0.2.41')));
    expect([guesses[0], guesses.at(-1)]).toEqual([403, 429]);
  });

  test('counts a call however its path is written, and what anybody may report', async () => {
    const send = (method: 'GET' | 'POST', url: string, ip: string) => async () => {
      const { statusCode } = await api.app.inject({ method, url, headers: from(ip).headers });
      return { status: statusCode };
    };
    const encoded = await statuses(310, send('GET', '/%61pi/clubs/retrieve', '192.0.2.31'));
    expect([encoded[0], encoded.at(-1)]).toEqual([401, 429]);
    const vitals = await statuses(310, send('POST', '/vitals', '192.0.2.32'));
    expect([vitals[0], vitals.at(-1)]).toEqual([204, 429]);
  });

  test('limits calls of the identity service, and leaves who is signed in signed in', async () => {
    const whole = await aWholeApp({ edge: { rateLimitFactor: 0.1 } });
    const url = `/identitytoolkit.googleapis.com/v1/accounts:lookup?key=${identityKey}`;
    const look = () => whole.app.inject({ method: 'POST', url, payload: {} });
    const seen = await statuses(310, async () => ({ status: (await look()).statusCode }));
    expect([seen[0], seen.at(-1)]).toEqual([400, 429]);
    const refused = await look();
    expect(refused.json().error).not.toHaveProperty('message'); // the SDK takes it for a network failure
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await whole.close();
  });

  test('limits look-ups, and every call, by network; one IPv6 network is one caller', async () => {
    const lookUps = await statuses(70, () => api.call(findClub, { clubId: 'x' }, from('2001:db8::1')));
    expect([lookUps[0], lookUps.at(-1)]).toEqual([404, 429]);
    expect((await api.call(findClub, { clubId: 'x' }, from('2001:db8::ffff'))).status).toBe(429);
    const calls = await statuses(310, () =>
      api.send(retrieveClubs, {}, { headers: { ...from('192.0.2.30').headers, apikey: 'x' } }),
    );
    expect([calls[0], calls.at(-1)]).toEqual([401, 429]);
    expect((await api.app.inject({ url: '/healthz', headers: from('192.0.2.30').headers })).statusCode).toBe(200);
  });
});

describe('pages and files', () => {
  test('are limited by network, without the database, and probes are not', async () => {
    const api = await aWholeApp({ edge: { rateLimitFactor: 0.001 } }); // a burst of three
    const statuses = async (url: string, ip: string) => {
      const answers = [];
      for (let time = 0; time < 5; time += 1)
        answers.push((await api.app.inject({ url, remoteAddress: ip })).statusCode);
      return answers;
    };
    expect(await statuses('/clubs', '198.51.100.7')).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses('/assets/main-0a1b2c.js', '198.51.100.8')).toEqual([200, 200, 200, 429, 429]);
    expect(await statuses('/healthz', '198.51.100.7')).toEqual([200, 200, 200, 200, 200]);
    const [, , , refused] = await statuses('/tenants/logos/default.svg', '2001:db8:7::1');
    expect(refused).toBe(429);
    const again = await api.app.inject({ url: '/clubs', remoteAddress: '2001:db8:7::2' });
    expect([again.statusCode, again.headers['retry-after']]).toEqual([429, '1']);
    await api.close();
  });
});
