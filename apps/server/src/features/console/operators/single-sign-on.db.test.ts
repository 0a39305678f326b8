import * as contract from '@sparechange/contract/console';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openIdSignOn } from '#providers/openid/index.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { anOpenIdProvider, type OpenIdProvider, openIdClient } from '#testing/openid-provider.ts';
import { inviteOperator, removeOperator } from './manage-operators.ts';

const returnTo = 'https://console.sparechange.example/console/signed-in';
let api: AppUnderTest;
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await anOpenIdProvider(returnTo);
  const singleSignOn = openIdSignOn({ ...openIdClient, issuer: provider.issuer, name: 'Rovers' });
  api = await anApp({ singleSignOn, edge: { rateLimitFactor: 0 } });
});
afterAll(async () => {
  await api.close();
  await provider.close();
});
beforeEach(() => {
  provider.person = { email: `${crypto.randomUUID()}@example.com`, isVerified: true };
});

const call = <Op extends contract.ConsoleOperation>(operation: Op, input: unknown, cookie?: string) =>
  callConsole(api.app, operation, input, { cookie });

/** Follows the provider's redirects like a browser, and returns the final address. */
async function signInThere(address: string): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let at = new URL(address); ; ) {
    if (at.href.startsWith(returnTo)) return at;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (!next) throw new Error(`${at.href} answers ${answer.status}: ${await answer.text()}`);
    at = new URL(next, at);
  }
}

async function signIn(isFresh = false) {
  const { body } = await call(contract.beginSingleSignOn, { isFresh });
  const { search } = await signInThere(body.url);
  const input = { challengeId: body.challengeId, query: search };
  return { input, ...(await call(contract.finishSingleSignOn, input)) };
}

const invite = (roles: contract.Role[] = ['owner']) =>
  inviteOperator(api, { email: provider.person.email, name: 'Pat', roles, clubIds: [] });

test("an invited person signs in with the organisation's account, and is asked again before dangerous acts, a first password too", async () => {
  await invite();
  const { status, body, cookie, input } = await signIn();
  expect([status, body.operator]).toMatchObject([200, { email: provider.person.email, isByLink: false }]);
  expect((await call(contract.listPeople, {}, cookie)).status).toBe(200);
  expect((await call(contract.finishSingleSignOn, input)).status).toBe(403);
  expect((await call(contract.retrieveSession, {})).body.singleSignOn).toBe('Rovers');

  const dangerous = { email: 'sam@example.com', name: 'Sam', roles: ['viewer'] };
  await api.db`update operator_sessions set confirmed_at = now() - interval '301 seconds'`;
  expect((await call(contract.invitePerson, dangerous, cookie)).body.error.code).toBe('requires-recent-login');
  for (const first of [contract.beginPassword, contract.beginPasskey])
    expect((await call(first, {}, cookie)).body.error.code).toBe('requires-recent-login');
  const again = await signIn(true);
  expect((await call(contract.invitePerson, dangerous, again.cookie)).status).toBe(200);
  expect((await call(contract.beginPassword, {}, again.cookie)).status).toBe(200);
});

test('nobody signs in who is uninvited, removed, waiting for a role, or without a verified address', async () => {
  expect((await signIn()).body.error.message).toContain('is invited here');
  const { id } = await invite();
  provider.person = { ...provider.person, isVerified: false };
  expect((await signIn()).body.error.message).toContain('did not say who you are');
  provider.person = { ...provider.person, isVerified: true };
  expect((await signIn()).status).toBe(200);
  await anOperator(api.db);
  await removeOperator({ ...api, by: { kind: 'operating_system', id: 'alice' } }, id);
  expect((await signIn()).status).toBe(403);
});

test('an answer is valid for the browser that asked, and for nothing else', async () => {
  await invite();
  const one = (await call(contract.beginSingleSignOn, {})).body;
  const other = (await call(contract.beginSingleSignOn, {})).body;
  const { search } = await signInThere(one.url);
  const stolen = { challengeId: other.challengeId, query: search };
  expect((await call(contract.finishSingleSignOn, stolen)).status).toBe(403);
  const forged = { challengeId: one.challengeId, query: search.replace(/code=[^&]+/, 'code=forged') };
  expect((await call(contract.finishSingleSignOn, forged)).status).toBe(403);
  const denied = (await call(contract.beginSingleSignOn, {})).body;
  const state = new URL(denied.url).searchParams.get('state');
  const query = `?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
  expect((await call(contract.finishSingleSignOn, { challengeId: denied.challengeId, query })).status).toBe(403);
});

/** Signs in while a man in the middle alters the ID token. */
async function signInWithToken(change: (idToken: string) => string | Promise<string>) {
  const { body } = await call(contract.beginSingleSignOn, { isFresh: false });
  const { search } = await signInThere(body.url);
  const send = globalThis.fetch;
  const between = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await send(...request);
    if (!String(request[0]).endsWith('/token')) return answer;
    const tokens = (await answer.json()) as { id_token: string };
    return Response.json({ ...tokens, id_token: await change(tokens.id_token) });
  });
  try {
    return await call(contract.finishSingleSignOn, { challengeId: body.challengeId, query: search });
  } finally {
    between.mockRestore();
  }
}

test('an ID token is valid as the provider signed it, and with plausible times', async () => {
  await invite();
  const other = await anOpenIdProvider(returnTo);
  const now = Math.floor(Date.now() / 1_000);
  const refused: [string, (idToken: string) => string | Promise<string>][] = [
    [
      'a changed signature',
      (token) => token.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`),
    ],
    ['the key of another provider', (token) => other.signAgain(token, {})],
    ...[1e300, 8.64e12, now + 3_600, -1, 'yesterday', null].map((time): (typeof refused)[number] => [
      `the time ${time}`,
      (token) => provider.signAgain(token, { auth_time: time }),
    ]),
  ];
  for (const [what, change] of refused) expect([what, (await signInWithToken(change)).status]).toEqual([what, 403]);
  await other.close();
  const { status } = await signInWithToken((token) => provider.signAgain(token, { auth_time: now - 60 }));
  expect(status).toBe(200);
});

test("an address is verified by its own source: the token cannot vouch for another answer's, or the other way round", async () => {
  await invite();
  provider.person = { ...provider.person, isVerified: false };
  const vouched = await signInWithToken((token) => provider.signAgain(token, { email_verified: true }));
  expect(vouched.status).toBe(403);
  provider.person = { ...provider.person, isVerified: true };
  const { email } = provider.person;
  expect((await signInWithToken((token) => provider.signAgain(token, { email }))).status).toBe(403);
  const whole = { email, email_verified: true };
  expect((await signInWithToken((token) => provider.signAgain(token, whole))).status).toBe(200);
});

test('a provider that does not answer is reported as unavailable, and is asked again later', async () => {
  const signOn = openIdSignOn({ ...openIdClient, issuer: provider.issuer, name: 'Rovers' });
  const noAnswer = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
  await expect(signOn.begin(new URL(returnTo), false)).rejects.toThrow('does not answer');
  noAnswer.mockRestore();
  expect((await signOn.begin(new URL(returnTo), false)).url.origin).toBe(provider.issuer);
});
