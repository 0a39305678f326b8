import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits } from './limits.ts';
import { newestResetCode } from './reset-codes.ts';
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

const count = (answers: string[], answer: string) => answers.filter((each) => each === answer).length;

test('ten guesses at once are all a guesser gets, and the owner elsewhere notices nothing', async () => {
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

test('all addresses of one IPv6 network count as one', async () => {
  const email = await aUser();
  expect(count(await guess(email, '2001:db8:1:2::1', 6), 'INVALID_LOGIN_CREDENTIALS')).toBe(6);
  expect(count(await guess(email, '2001:db8:1:2:ffff::9', 6), 'INVALID_LOGIN_CREDENTIALS')).toBe(4);
});

test('signing in rightly, however often, uses nothing up', async () => {
  const email = await aUser();
  for (let i = 0; i < 15; i++) expect(await trySignIn(email, goodPassword, '203.0.113.5')).toBe('ok');
});

test('attempts come back with time', async () => {
  const email = await aUser();
  await guess(email, '203.0.113.6', 12);
  await service.database.pool`update identity.limits set drained_at = drained_at - interval '61 seconds'`;
  expect(await trySignIn(email, goodPassword, '203.0.113.6')).toBe('ok');
});

test('a password reset lets the owner in again at once', async () => {
  const email = await aUser();
  await guess(email, '203.0.113.7', 12);
  const oobCode = await newestResetCode(service.database.pool, email);
  await service.call('/v1/accounts:resetPassword', { oobCode, newPassword: 'renewed12' }, from('203.0.113.7'));
  expect(await trySignIn(email, 'renewed12', '203.0.113.7')).toBe('ok');
});

test('one address cannot try many accounts for long', async () => {
  const { burst } = defaultLimits.signInByAddress;
  const answers: string[] = [];
  for (let i = 0; i < burst / 10 + 2; i++) answers.push(...(await guess(anAddress('spray'), '203.0.113.8', 10)));
  const guesses = count(answers, 'INVALID_LOGIN_CREDENTIALS');
  expect(guesses).toBeGreaterThanOrEqual(burst);
  expect(guesses).toBeLessThan(burst + 10); // a few come back while we try
});

test('nobody is sent more than ten reset mails in a row, known or unknown', async () => {
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
