import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits, type KeyedLimit, signInLimits, takeAttempt } from './limits.ts';
import { makeResetCode } from './oob-codes.ts';
import { anAddress, aService, goodPassword, type TestService } from './testing/service.ts';
import { createUser } from './users.ts';

let service: TestService;
beforeAll(async () => {
  service = await aService();
});
afterAll(() => service.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

async function aUser() {
  const email = anAddress();
  await createUser(service.database.pool, email, goodPassword);
  return email;
}

async function trySignIn(email: string, password: string, address: string): Promise<string> {
  const { json } = await service.call('/v1/accounts:signInWithPassword', { email, password }, from(address));
  return json.error?.message?.split(' : ')[0] ?? 'ok';
}

async function guess(email: string, address: string, times: number): Promise<string[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => trySignIn(email, `guess-${index}`, address)));
}

const takeAll = async (counted: KeyedLimit[], times: number) => {
  for (let i = 0; i < times; i++) await takeAttempt(service.database.pool, counted).catch(() => undefined);
};

const count = (answers: string[], answer: string) => answers.filter((each) => each === answer).length;

test('of concurrent guesses a guesser gets ten, and the owner elsewhere notices nothing', async () => {
  const email = await aUser();
  const answers = await guess(email, '203.0.113.1', 25);
  expect(count(answers, 'INVALID_LOGIN_CREDENTIALS')).toBe(10);
  expect(count(answers, 'TOO_MANY_ATTEMPTS_TRY_LATER')).toBe(15);
  expect(await trySignIn(email, goodPassword, '203.0.113.1')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(await trySignIn(email, goodPassword, '203.0.113.2')).toBe('ok');
});

test('an unknown address is limited like a known one', async () => {
  const answers = await guess(anAddress('nobody'), '203.0.113.3', 15);
  expect(count(answers, 'INVALID_LOGIN_CREDENTIALS')).toBe(10);
});

test('many addresses together get fifty guesses at one account', async () => {
  const email = await aUser();
  const rounds = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => guess(email, `198.51.100.${n}`, 10)));
  expect(count(rounds.flat(), 'INVALID_LOGIN_CREDENTIALS')).toBe(50);
});

test('who has signed in from a network is not shut out of it by guesses made elsewhere', async () => {
  const email = await aUser();
  const home = '192.0.2.10';
  expect(await trySignIn(email, goodPassword, home)).toBe('ok');
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => guess(email, `198.51.100.1${n}`, 10)));
  expect(await trySignIn(email, goodPassword, '192.0.2.99')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(await trySignIn(email, goodPassword, home)).toBe('ok');
  expect(count(await guess(email, home, 12), 'INVALID_LOGIN_CREDENTIALS')).toBe(10);
});

test('who signed up from a network, or reset the password from it, is not shut out of it either', async () => {
  const email = anAddress();
  await service.call('/v1/accounts:signUp', { email, password: goodPassword }, from('192.0.2.20'));
  const { burst } = defaultLimits.signInAtAccount;
  const drain = () => takeAll(signInLimits(defaultLimits, '198.51.100.20', email, false).slice(2), burst);
  await drain();
  expect(await trySignIn(email, goodPassword, '192.0.2.22')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(await trySignIn(email, goodPassword, '192.0.2.20')).toBe('ok');
  const oobCode = await makeResetCode(service.database.pool, email);
  await service.call('/v1/accounts:resetPassword', { oobCode, newPassword: 'renewed12' }, from('192.0.2.21'));
  await drain();
  expect(await trySignIn(email, 'renewed12', '192.0.2.21')).toBe('ok');
});

test('a network learns of ten taken addresses, and then learns nothing of any', async () => {
  const email = await aUser();
  const signUp = async (address: string, ip: string) => {
    const input = { email: address, password: goodPassword };
    const { json } = await service.call('/v1/accounts:signUp', input, from(ip));
    return json.error?.message?.split(' : ')[0] ?? 'ok';
  };
  const answers = await Promise.all(Array.from({ length: 30 }, () => signUp(email, '192.0.2.30')));
  expect(count(answers, 'EMAIL_EXISTS')).toBe(10);
  expect(await signUp(anAddress(), '192.0.2.30')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  expect(await signUp(anAddress(), '192.0.2.31')).toBe('ok');
  for (let i = 0; i < 15; i++) expect(await signUp(anAddress(), '192.0.2.32')).toBe('ok');
});

test('all addresses of one IPv6 network count as one', async () => {
  const email = await aUser();
  expect(count(await guess(email, '2001:db8:1:2::1', 6), 'INVALID_LOGIN_CREDENTIALS')).toBe(6);
  expect(count(await guess(email, '2001:db8:1:ffff:ffff::9', 6), 'INVALID_LOGIN_CREDENTIALS')).toBe(4);
});

test('signing in rightly, however often, uses nothing up', async () => {
  const email = await aUser();
  for (let i = 0; i < 15; i++) expect(await trySignIn(email, goodPassword, '203.0.113.5')).toBe('ok');
});

test('attempts come back with time', async () => {
  const email = await aUser();
  await guess(email, '203.0.113.6', 12);
  expect(await trySignIn(email, goodPassword, '203.0.113.6')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  await service.database.pool`update identity.limits set drained_at = drained_at - interval '61 seconds'`;
  expect(await trySignIn(email, goodPassword, '203.0.113.6')).toBe('ok');
});

test('a password reset lets the owner in again immediately', async () => {
  const email = await aUser();
  await guess(email, '203.0.113.7', 12);
  expect(await trySignIn(email, goodPassword, '203.0.113.7')).toBe('TOO_MANY_ATTEMPTS_TRY_LATER');
  const oobCode = await makeResetCode(service.database.pool, email);
  await service.call('/v1/accounts:resetPassword', { oobCode, newPassword: 'renewed12' }, from('203.0.113.7'));
  expect(await trySignIn(email, 'renewed12', '203.0.113.7')).toBe('ok');
});

test('one address cannot try many accounts for long', async () => {
  const { burst, everySeconds } = defaultLimits.signInByAddress;
  const begun = Date.now();
  const answers: string[] = [];
  for (let i = 0; i < burst / 10 + 2; i++) answers.push(...(await guess(anAddress('spray'), '203.0.113.8', 10)));
  const guesses = count(answers, 'INVALID_LOGIN_CREDENTIALS');
  expect(guesses).toBeGreaterThanOrEqual(burst);
  const cameBack = Math.ceil((Date.now() - begun) / 1000 / everySeconds);
  expect(guesses).toBeLessThanOrEqual(burst + cameBack);
});

test('nobody is sent more than ten reset emails in a row, known or unknown', async () => {
  for (const email of [await aUser(), anAddress('nobody')]) {
    const ask = () => service.call('/v1/accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });
    for (let i = 0; i < 10; i++) expect((await ask()).status).toBe(200);
    expect((await ask()).json.error?.message).toBe('RESET_PASSWORD_EXCEED_LIMIT');
  }
});

test('limits name nobody', async () => {
  const email = await aUser();
  await guess(email, '203.0.113.9', 1);
  const rows = await service.database.pool<{ key: string }[]>`select key from identity.limits`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ key }) => key.includes('example') || key.includes('203.0'))).toBe(false);
});
