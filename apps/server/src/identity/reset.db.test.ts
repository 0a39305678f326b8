import {
  sendPasswordResetEmail as askReset,
  checkActionCode,
  confirmPasswordReset,
  signInWithEmailAndPassword as signIn,
  createUserWithEmailAndPassword as signUp,
  verifyPasswordResetCode,
} from '@firebase/auth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expireCode, makeResetCode } from './oob-codes.ts';
import type { OobMail } from './service.ts';
import { anAddress, aService, codeOf, goodPassword, type TestService } from './testing/service.ts';
import { disableUser } from './users.ts';

let service: TestService;
let refuseMails = 0;
beforeAll(async () => {
  const mails: OobMail[] = [];
  service = await aService({
    sendOobMail: async (mail) => {
      if (refuseMails-- > 0) throw new Error('the mail server is unavailable');
      mails.push(mail);
    },
  });
  service.mails = mails;
});
afterAll(() => service.close());

async function aUser() {
  const email = anAddress();
  const { user } = await signUp(service.browser(), email, goodPassword);
  return { email, user };
}

const mailsTo = (email: string) => service.mails.filter((mail) => mail.email === email);

async function mailedCode(email: string, nth = 1): Promise<string> {
  await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(nth), 60_000);
  return mailsTo(email).at(-1)?.link.searchParams.get('oobCode') ?? '';
}

test('the emailed link leads to the page of the host that was asked, in the language of the browser', async () => {
  const { email } = await aUser();
  const auth = service.browser();
  auth.languageCode = 'en-AU';
  await askReset(auth, email, { url: 'http://localhost/login' });
  const code = await mailedCode(email);
  const [mail] = mailsTo(email);
  expect(mail?.locale).toBe('en-AU');
  expect(mail?.link.origin).toBe(service.url);
  expect(mail?.link.pathname).toBe('/__/auth/action');
  expect(Object.fromEntries(mail?.link.searchParams ?? [])).toEqual({
    mode: 'resetPassword',
    oobCode: code,
    apiKey: 'fake-api-key',
    lang: 'en-AU',
    continueUrl: 'http://localhost/login',
  });
});

test('a Host header of somebody else never gets into an email', async () => {
  const { email } = await aUser();
  const request = { requestType: 'PASSWORD_RESET', email };
  await service.app.inject({
    method: 'POST',
    url: '/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=fake-api-key',
    headers: { host: 'evil.example', 'x-firebase-locale': 'en"><b>' },
    payload: request,
  });
  await mailedCode(email);
  expect(mailsTo(email)[0]?.link.origin).toBe('https://product.example');
  expect(mailsTo(email)[0]?.locale).toBeUndefined();
});

test('a code sets a new password once, proves the address, ends sessions and voids the other codes', async () => {
  const { email, user } = await aUser();
  const anonymous = service.browser();
  await askReset(anonymous, email);
  const sibling = await mailedCode(email);
  await askReset(anonymous, email);
  const code = await mailedCode(email, 2);
  expect(await verifyPasswordResetCode(anonymous, code)).toBe(email);
  expect((await checkActionCode(anonymous, code)).operation).toBe('PASSWORD_RESET');
  expect(await codeOf(confirmPasswordReset(anonymous, code, 'short'))).toBe('auth/weak-password');
  expect(await codeOf(confirmPasswordReset(anonymous, code, 'renewed12'))).toBe('ok');
  expect(await codeOf(confirmPasswordReset(anonymous, code, 'renewed34'))).toBe('auth/invalid-action-code');
  expect(await codeOf(confirmPasswordReset(anonymous, sibling, 'renewed56'))).toBe('auth/invalid-action-code');
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired');
  expect((await signIn(anonymous, email, 'renewed12')).user.emailVerified).toBe(true);
});

test('of many who use one code, or codes of one user, at the same moment one succeeds', async () => {
  const { email } = await aUser();
  const codes = await Promise.all([1, 2, 3].map(() => makeResetCode(service.database.pool, email)));
  const uses = [...codes, ...codes, ...codes].map((code, index) =>
    codeOf(confirmPasswordReset(service.browser(), code ?? '', `renewed-${index}`)),
  );
  const results = await Promise.all(uses);
  expect(results.filter((result) => result === 'ok')).toHaveLength(1);
  expect(results.filter((result) => result === 'auth/invalid-action-code')).toHaveLength(8);
  const winner = results.indexOf('ok');
  expect(await codeOf(signIn(service.browser(), email, `renewed-${winner}`))).toBe('ok');
});

test('a code ends after an hour, or when the operator ends it', async () => {
  const { email } = await aUser();
  const { pool } = service.database;
  const code = (await makeResetCode(pool, email)) ?? '';
  expect(await expireCode(pool, code)).toBe('expired');
  expect(await expireCode(pool, 'no-such-code')).toBe('no such code');
  expect(await codeOf(verifyPasswordResetCode(service.browser(), code))).toBe('auth/expired-action-code');
  expect(await codeOf(confirmPasswordReset(service.browser(), code, 'renewed12'))).toBe('auth/expired-action-code');
  const [life] = await pool<{ seconds: number }[]>`
    select extract(epoch from max(expires_at - created_at))::int as seconds from identity.oob_codes`;
  expect(life?.seconds).toBe(3600);
});

test('codes are kept as hashes only', async () => {
  const { email } = await aUser();
  const code = (await makeResetCode(service.database.pool, email)) ?? '';
  const rows = await service.database.pool<
    { row: string }[]
  >`select row_to_json(oob_codes)::text as row from identity.oob_codes`;
  expect(rows.some(({ row }) => row.includes(code))).toBe(false);
});

test('a disabled user gets no email and no code, and an old code says so', async () => {
  const { email } = await aUser();
  const { pool } = service.database;
  const code = (await makeResetCode(pool, email)) ?? '';
  await disableUser(pool, email);
  expect(await makeResetCode(pool, email)).toBeUndefined();
  expect(await makeResetCode(pool, anAddress('nobody'))).toBeUndefined();
  expect(await codeOf(confirmPasswordReset(service.browser(), code, 'renewed12'))).toBe('auth/user-disabled');
});

test('a reset leads on to allowed places only', async () => {
  const { email } = await aUser();
  const ask = (continueUrl: string) =>
    service.call('/v1/accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email, continueUrl });
  expect((await ask('https://evil.example/x')).json.error?.message).toMatch(/^UNAUTHORIZED_DOMAIN/);
  expect((await ask('javascript:alert(1)')).json.error?.message).toBe('INVALID_CONTINUE_URI');
  expect((await ask('nonsense')).json.error?.message).toBe('INVALID_CONTINUE_URI');
});

test('an email that could not be handed on is tried again, and its request is then forgotten', async () => {
  const { email } = await aUser();
  const { pool } = service.database;
  refuseMails = 1;
  await askReset(service.browser(), email);
  await vi.waitFor(
    async () => expect(await pool`select 1 from identity.oob_requests where attempts = 1`).toHaveLength(1),
    60_000,
  );
  const { email: another } = await aUser();
  await askReset(service.browser(), another);
  await mailedCode(another); // the sender was awake, and left alone what is not due
  expect(mailsTo(email)).toHaveLength(0);
  await pool`update identity.oob_requests set due_at = now()`;
  await askReset(service.browser(), anAddress('nobody')); // any request wakes the sender
  await mailedCode(email);
  await vi.waitFor(async () => expect(await pool`select 1 from identity.oob_requests`).toHaveLength(0), 60_000);
});
