import * as contract from '@sparechange/contract/console';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { NotAllowed, SignedOut } from '#errors.ts';
import { defaultLimits, signInLimits, take } from '#identity/limits.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';
import { untilWaiting } from '#testing/waiting.ts';
import { linkAddress, makeLink } from './links.ts';
import { inviteOperator, recoverOperator } from './manage-operators.ts';
import { findOperator } from './operator-repository.ts';
import { checkNewPassword } from './passwords.ts';
import { beginSession, findSession } from './session-repository.ts';
import { signIn, signInBy } from './sign-in.ts';

const by = { kind: 'operating_system', id: 'alice' } as const;
const api = ownApp({ edge: { rateLimitFactor: 0 } });
const call = <Op extends contract.ConsoleOperation>(operation: Op, input: unknown, cookie?: string) =>
  callConsole(api.app, operation, input, { cookie });

const password = 'correct horse battery';

/** Returns the code that an authenticator shows for a secret, some steps from now. */
const codeFor = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

const tokenOf = (linkId: string) => linkAddress(api.consoleUrl, api.operatorLinks, linkId).hash.slice(1);

/** Invites a person, opens the link for them, and returns their session. */
async function acceptInvitation(roles: contract.Role[], clubIds: string[] = []) {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id, linkId } = await inviteOperator(api, { email, name: 'Pat', roles, clubIds });
  const { cookie } = await call(contract.signInWithLink, { token: tokenOf(linkId) });
  return { id, email, cookie, token: tokenOf(linkId) };
}

/** Sets a password and an authenticator, which uses up the code of this step. */
async function choosePassword(cookie: string | undefined) {
  const begun = await call(contract.beginPassword, {}, cookie);
  const { challengeId, secret } = begun.body;
  const [used, next] = [codeFor(secret), codeFor(secret, 1)];
  const chosen = await call(contract.setPassword, { challengeId, password, code: used }, cookie);
  return { secret, used, next, ...chosen };
}

test('an invitation link works once, and an owner has to set up a sign-in before anything else', async () => {
  const { cookie, token, email } = await acceptInvitation(['owner']);
  expect((await call(contract.signInWithLink, { token })).status).toBe(404);
  expect((await call(contract.listPeople, {}, cookie)).status).toBe(403);
  const chosen = await choosePassword(cookie);
  expect(chosen.body.operator).toMatchObject({ email, isByLink: false, hasSignIn: true, isConfirmed: true });
  expect((await call(contract.listPeople, {}, chosen.cookie)).status).toBe(200);
  expect((await call(contract.retrieveSession, {}, cookie)).body.operator).toBeNull();
});

test('each sign-in is in the audit log, with the person and the method', async () => {
  const { id, email, cookie } = await acceptInvitation(['owner']);
  const { next } = await choosePassword(cookie);
  expect((await call(contract.signInWithPassword, { email, password, code: '000000' })).status).toBe(403);
  expect((await call(contract.signInWithPassword, { email, password, code: next })).status).toBe(200);
  const entries = await api.db`
    select actor, action, details from audit_log
    where action in ('console signIn', 'console confirmSignIn') and details ->> 'operator' = ${id} order by id`;
  expect([...entries]).toEqual(
    [
      ['signIn', 'link'],
      ['confirmSignIn', 'password'], // setting a password begins a session with it
      ['signIn', 'password'],
    ].map(([action, method]) => ({
      actor: 'operator',
      action: `console ${action}`,
      details: { operator: id, method },
    })),
  );
});

test('a password signs in together with a code, and each code works once', async () => {
  const { email, cookie } = await acceptInvitation(['finance']);
  const { used, next } = await choosePassword(cookie);
  const attempt = async (given: object) =>
    (await call(contract.signInWithPassword, { email, password, code: next, ...given })).status;
  expect(await attempt({ code: used })).toBe(403);
  expect(await attempt({ password: 'another one here' })).toBe(403);
  expect(await attempt({ email: 'nobody@example.com' })).toBe(403);
  expect(await attempt({ email: email.toUpperCase() })).toBe(200);
  expect(await attempt({})).toBe(403);
});

test('a weak password and a wrong code are each refused at their field', async () => {
  const { cookie } = await acceptInvitation(['viewer']);
  const { challengeId, secret } = (await call(contract.beginPassword, {}, cookie)).body;
  const attempt = async (input: object) =>
    (await call(contract.setPassword, { challengeId, password, code: codeFor(secret), ...input }, cookie)).body.error;
  expect((await attempt({ password: 'password123' })).fields).toHaveProperty('password');
  expect((await attempt({ password: 'short' })).fields).toHaveProperty('password');
  const wrong = String((Number(codeFor(secret)) + 500_000) % 1_000_000).padStart(6, '0');
  expect((await attempt({ code: wrong })).fields).toHaveProperty('code');
});

test('nothing stored in the database is enough to sign in', async () => {
  const { id, cookie } = await acceptInvitation(['owner']);
  const { secret } = await choosePassword(cookie);
  const linkId = await makeLink(api.db, id, 'recovery');
  const rows = await api.db`
    select operators::text || operator_links::text || operator_sessions::text as text
    from operators join operator_links on operator_links.operator_id = operators.id
    join operator_sessions on operator_sessions.operator_id = operators.id where operators.id = ${id}`;
  const kept = JSON.stringify(rows);
  const session = String(cookie?.split('=')[1]);
  for (const hidden of [secret, password, session, tokenOf(linkId).split('.')[1] ?? ''])
    expect([hidden, kept.includes(hidden)]).toEqual([hidden, false]);
  expect((await call(contract.signInWithLink, { token: linkId })).status).toBe(404);
});

test('ten wrong codes from one address are the limit', async () => {
  const { email } = await anOperator(api.db);
  const attempts = Array.from({ length: 12 }, () =>
    call(contract.signInWithPassword, { email, password, code: '000000' }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(10).fill(403), 429, 429]);
});

test('guesses from another network lock a person out, except where they have signed in before', async () => {
  const { email, cookie } = await acceptInvitation(['owner']);
  const { next } = await choosePassword(cookie);
  const [accountLimit] = signInLimits(defaultLimits, '198.51.100.20', `console ${email}`, false).slice(2);
  while (accountLimit && (await take(api.db, accountLimit)));
  expect((await call(contract.signInWithPassword, { email, password, code: next })).status).toBe(200);
  await api.db`delete from identity.known_networks`;
  expect((await call(contract.signInWithPassword, { email, password, code: next })).status).toBe(429);
});

test('a treasurer is emailed a read-only link, others are not, and the answer is the same', async () => {
  const clubId = await aClub(api.db);
  const { id, email } = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const owner = await anOperator(api.db);
  await api.db`delete from operator_links`;
  for (const address of [email, owner.email, 'nobody@example.com'])
    expect(await call(contract.requestSignInLink, { email: address })).toMatchObject({ status: 200, body: {} });
  const links = await api.db<{ id: string; operatorId: string }[]>`
    select id, operator_id as "operatorId" from operator_links`;
  expect(links.map(({ operatorId }) => operatorId)).toEqual([id]);
  const { body, cookie } = await call(contract.signInWithLink, { token: tokenOf(links[0]?.id ?? '') });
  expect(body.operator).toMatchObject({ isByLink: true, clubs: [{ id: clubId }] });
  expect((await call(contract.retrieveSignIn, {}, cookie)).body).toMatchObject({ passkeys: [] });
});

test('an emailed link expires after fifteen minutes', async () => {
  const { id } = await anOperator(api.db);
  const linkId = await makeLink(api.db, id, 'sign_in');
  await api.db`update operator_links set expires_at = (expires_at at time zone 'UTC' - interval '15 minutes') at time zone 'UTC' where id = ${linkId}`;
  expect((await call(contract.signInWithLink, { token: tokenOf(linkId) })).status).toBe(404);
});

test('an emailed link adds no second way to sign in', async () => {
  const { id, cookie } = await acceptInvitation(['owner']);
  await choosePassword(cookie);
  const again = await call(contract.signInWithLink, { token: tokenOf(await makeLink(api.db, id, 'sign_in')) });
  expect((await call(contract.beginPasskey, {}, again.cookie)).status).toBe(403);
});

test('of two passkeys begun only the last counts: finishing the first is refused and ends no session', async () => {
  const { id, cookie } = await acceptInvitation(['owner']);
  const begin = async () => (await call(contract.beginPasskey, {}, cookie)).body.challengeId;
  const [first, last] = [await begin(), await begin()];
  const response = { clientDataJSON: 'e30', attestationObject: 'o2M' };
  const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response };
  const answered = await call(contract.addPasskey, { challengeId: first, name: 'Phone', credential }, cookie);
  expect([answered.status, answered.body.error.message]).toEqual([400, expect.stringContaining('was begun again')]);
  expect((await call(contract.retrieveSession, {}, cookie)).body.operator).not.toBeNull();
  const kept = await api.db`select id from operator_challenges where operator_id = ${id} and purpose = 'passkey'`;
  expect([...kept]).toEqual([{ id: last }]);
});

test('a dangerous call requires the code again five minutes after signing in', async () => {
  const { cookie: invitedCookie } = await acceptInvitation(['owner']);
  const { used, next, cookie } = await choosePassword(invitedCookie);
  const invite = { email: 'sam@example.com', name: 'Sam', roles: ['viewer'] };
  await api.db`update operator_sessions set confirmed_at = now() - interval '301 seconds'`;
  expect((await call(contract.invitePerson, invite, cookie)).body.error.code).toBe('requires-recent-login');
  expect((await call(contract.listPeople, {}, cookie)).status).toBe(200);
  expect((await call(contract.confirmWithCode, { code: used }, cookie)).status).toBe(400);
  expect((await call(contract.confirmWithCode, { code: next }, cookie)).status).toBe(200);
  expect((await call(contract.invitePerson, invite, cookie)).status).toBe(200);
});

const isSignedIn = async (cookie?: string) => (await call(contract.retrieveSession, {}, cookie)).body.operator !== null;

test('a session ends after twelve hours, by signing out, and by signing out everywhere', async () => {
  const { cookie } = await anOperator(api.db);
  await api.db`update operator_sessions set expires_at = (expires_at at time zone 'UTC' - interval '12 hours') at time zone 'UTC'`;
  expect(await isSignedIn(cookie)).toBe(false);

  const { cookie: here } = await acceptInvitation(['owner']);
  expect(await call(contract.signOut, {}, here)).toMatchObject({ status: 200, cookie: '__Host-console=' });
  expect(await isSignedIn(here)).toBe(false);

  const { id, cookie: there } = await acceptInvitation(['owner']);
  const elsewhere = await call(contract.signInWithLink, { token: tokenOf(await makeLink(api.db, id, 'sign_in')) });
  expect([await isSignedIn(there), await isSignedIn(elsewhere.cookie)]).toEqual([true, true]);
  await call(contract.signOutEverywhere, {}, there);
  expect([await isSignedIn(there), await isSignedIn(elsewhere.cookie)]).toEqual([false, false]);
});

test('a new password ends the sessions begun with the previous one', async () => {
  const { id, cookie: here } = await acceptInvitation(['owner']);
  const elsewhere = await call(contract.signInWithLink, { token: tokenOf(await makeLink(api.db, id, 'sign_in')) });
  const { cookie } = await choosePassword(here);
  expect([await isSignedIn(cookie), await isSignedIn(here), await isSignedIn(elsewhere.cookie)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('the cookie is bound to the host and to https, and no script can read it', async () => {
  const { linkId } = await inviteOperator(api, { email: 'c@example.com', name: 'C', roles: ['owner'], clubIds: [] });
  const answer = await api.app.inject({
    method: 'POST',
    url: '/console/api/session/link',
    headers: { host: 'console.sparechange.example', 'x-sparechange-console': '1' },
    payload: { token: tokenOf(linkId) },
  });
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('the console is served on its own host only, and the product is not served there', async () => {
  const get = async (host: string, url: string) => (await api.app.inject({ url, headers: { host } })).statusCode;
  const [own, product] = ['console.sparechange.example', 'sparechange.example'];
  expect(await get(product, '/console/api/session')).toBe(404);
  expect(await get(product, '/%63onsole/api/session')).toBe(404);
  expect(await get(own, '/api/clubs/retrieve')).toBe(404);
  expect(await get(own, '/')).toBe(302);
  expect([await get(own, '/healthz'), await get(product, '/healthz')]).toEqual([200, 200]);
});

describe('a person removed or recovered while signing in', () => {
  test('stays removed', async () => {
    const { id, cookie } = await acceptInvitation(['viewer']);
    await choosePassword(cookie);
    const signingIn = await api.db.begin(async (tx) => {
      await tx`update operators set status = 'removed' where id = ${id}`;
      const waiting = api.db.begin((other) => signIn(other, api, id, 'password')).catch((error: Error) => error);
      await untilWaiting(api.db);
      return { waiting };
    });
    expect(await signingIn.waiting).toBeInstanceOf(NotAllowed);
    expect(await api.db`select status from operators where id = ${id}`).toEqual([{ status: 'removed' }]);
  });

  test('cannot set the password begun before a recovery', async () => {
    const { id, cookie = '' } = await acceptInvitation(['finance']);
    const operator = await findOperator(api.db, id);
    const { challengeId, secret } = (await call(contract.beginPassword, {}, cookie)).body;
    const session = await findSession(api.db, cookie.split('=')[1] ?? '');
    if (!operator || !session) throw new Error('not signed in');
    const input = { challengeId, password, code: codeFor(secret) };
    const set = await checkNewPassword(api.db, api.encryption, operator, input);
    await recoverOperator({ ...api, by }, id);
    const caller = { operatorId: id, sessionHash: session.hash };
    await expect(signInBy(api, caller, 'password', set)).rejects.toBeInstanceOf(SignedOut);
    expect(await findOperator(api.db, id)).toMatchObject({ hasPassword: false });
  });
});

test('an invitation still works after a sign-in link is requested', async () => {
  const { id } = await anOperator(api.db, { roles: ['treasurer'], clubIds: [await aClub(api.db)] });
  const invitation = await makeLink(api.db, id, 'invitation');
  await makeLink(api.db, id, 'sign_in');
  expect((await call(contract.signInWithLink, { token: tokenOf(invitation) })).status).toBe(200);
});

test('removing a passkey ends the other sessions, and nobody removes the only way to sign in', async () => {
  const { id, cookie } = await anOperator(api.db);
  const other = await anOperator(api.db);
  const elsewhere = `__Host-console=${await beginSession(api.db, id, 'passkey')}`;
  const [first, last, foreign] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  for (const [passkey, operatorId] of [
    [first, id],
    [last, id],
    [foreign, other.id],
  ] as const)
    await api.db`
      insert into operator_passkeys (id, operator_id, name, public_key, counter, transports)
      values (${passkey}, ${operatorId}, 'Phone', ${Buffer.from('key')}, 0, '{}')`;
  const remove = (passkey: string, by = cookie) => call(contract.removePasskey, { id: passkey }, by);
  const listPasskeys = async () =>
    (await api.db`select id from operator_passkeys where operator_id = ${id}`).map((row) => row.id);

  expect((await remove(foreign)).status).toBe(404);
  expect((await remove(first)).status).toBe(200);
  expect(await listPasskeys()).toEqual([last]);
  expect((await call(contract.retrieveSession, {}, elsewhere)).body.operator).toBeNull();
  expect(await remove(last)).toMatchObject({
    status: 409,
    body: { error: { message: 'This is your only way to sign in. Please add another one first.' } },
  });
  expect(await listPasskeys()).toEqual([last]);
  const withPassword = await choosePassword(cookie);
  expect((await remove(last, withPassword.cookie ?? '')).status).toBe(200);
  expect(await listPasskeys()).toEqual([]);
  expect(await api.db`select from operator_passkeys where id = ${foreign}`).toHaveLength(1);
});
