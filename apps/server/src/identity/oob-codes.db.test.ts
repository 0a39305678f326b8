import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword as signIn,
  createUserWithEmailAndPassword as signUp,
  updatePassword,
  verifyBeforeUpdateEmail,
} from '@firebase/auth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OobRequestType } from './oob-code-repository.ts';
import { expireCode } from './oob-codes.ts';
import { anAddress, aService, codeOf, goodPassword, type TestService } from './testing/service.ts';
import { tidyIdentity } from './tidy.ts';
import { createUser, deleteUser, disableUser } from './users.ts';

let service: TestService;
const followed: { uid: string; email: string }[] = [];
beforeAll(async () => {
  service = await aService({ afterAddressChange: async (_tx, change) => void followed.push(change) });
});
afterAll(() => service.close());

async function aUser() {
  const email = anAddress();
  const auth = service.browser();
  const { user } = await signUp(auth, email, goodPassword);
  return { email, auth, user, uid: user.uid, idToken: await user.getIdToken() };
}

const mailsTo = (email: string, requestType: OobRequestType) =>
  service.mails.filter((mail) => mail.email === email && mail.requestType === requestType);

async function mailedCode(email: string, requestType: OobRequestType): Promise<string> {
  await vi.waitFor(() => expect(mailsTo(email, requestType)).not.toHaveLength(0), 60_000);
  return mailsTo(email, requestType).at(-1)?.link.searchParams.get('oobCode') ?? '';
}

const send = async (body: unknown): Promise<string> => {
  const { status, json } = await service.call('/v1/accounts:sendOobCode', body);
  return status === 200 ? 'ok' : (json.error?.message ?? `${status}`);
};
const update = (body: unknown) => service.call('/v1/accounts:update', body);

/** A user who has gone over to another address, and the code with which the old one undoes it. */
async function aMovedUser() {
  const user = await aUser();
  const newEmail = anAddress('new');
  await verifyBeforeUpdateEmail(user.user, newEmail);
  await applyActionCode(service.browser(), await mailedCode(newEmail, 'verify_and_change_email'));
  return { ...user, newEmail, recovery: await mailedCode(user.email, 'recover_email') };
}

test('a code verifies the address once, without a token', async () => {
  const { email, user, uid } = await aUser();
  await sendEmailVerification(user);
  const code = await mailedCode(email, 'verify_email');
  expect(mailsTo(email, 'verify_email')[0]?.link.searchParams.get('mode')).toBe('verifyEmail');
  const info = await checkActionCode(service.browser(), code);
  expect([info.operation, info.data.email]).toEqual(['VERIFY_EMAIL', email]);
  const { status, json } = await update({ oobCode: code });
  expect([status, json]).toMatchObject([200, { localId: uid, email, emailVerified: true }]);
  expect(json).not.toHaveProperty('idToken');
  expect(await codeOf(applyActionCode(service.browser(), code))).toBe('auth/invalid-action-code');
  await user.reload();
  expect(user.emailVerified).toBe(true);
});

test('only a signed-in user asks for a code that verifies, and the answer never holds it', async () => {
  const { email, user, idToken } = await aUser();
  const requestType = 'VERIFY_EMAIL';
  expect(await send({ requestType, email })).toBe('INVALID_ID_TOKEN');
  expect(await send({ requestType, idToken: 'hoge' })).toBe('INVALID_ID_TOKEN');
  expect(await send({ requestType, idToken, continueUrl: 'noSchemeOrHost' })).toBe('INVALID_CONTINUE_URI');
  expect(await send({ requestType, idToken, continueUrl: 'https://evil.example/' })).toMatch(/^UNAUTHORIZED_DOMAIN/);
  expect(await send({ requestType, idToken, returnOobLink: true })).toBe('INSUFFICIENT_PERMISSION');
  const { json } = await service.call('/v1/accounts:sendOobCode', { requestType, idToken });
  expect(json).toEqual({ kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email });
  expect(await send({ requestType: 4, idToken })).toBe('ok');
  await disableUser(service.database.pool, email);
  expect(await send({ requestType, idToken })).toBe('USER_DISABLED');
  expect(await codeOf(sendEmailVerification(user))).toBe('auth/user-disabled');
});

test('a disabled user verifies nothing, nor with a code that has ended', async () => {
  const { email, user } = await aUser();
  await sendEmailVerification(user);
  const code = await mailedCode(email, 'verify_email');
  expect(await expireCode(service.database.pool, code)).toBe('expired');
  expect(await codeOf(applyActionCode(service.browser(), code))).toBe('auth/expired-action-code');
  await sendEmailVerification(user);
  await vi.waitFor(() => expect(mailsTo(email, 'verify_email')).toHaveLength(2), 60_000);
  const second = await mailedCode(email, 'verify_email');
  await disableUser(service.database.pool, email);
  expect(await codeOf(applyActionCode(service.browser(), second))).toBe('auth/user-disabled');
});

test('codes say what they are for, and are good for nothing else', async () => {
  const { email, auth, user } = await aUser();
  const newEmail = anAddress('new');
  await sendPasswordResetEmail(auth, email);
  await sendEmailVerification(user);
  await verifyBeforeUpdateEmail(user, newEmail);
  const reset = await mailedCode(email, 'password_reset');
  const verify = await mailedCode(email, 'verify_email');
  const change = await mailedCode(newEmail, 'verify_and_change_email');
  const operation = async (code: string) => (await checkActionCode(auth, code)).operation;
  expect(await operation(reset)).toBe('PASSWORD_RESET');
  expect(await operation(verify)).toBe('VERIFY_EMAIL');
  expect(await operation(change)).toBe('VERIFY_AND_CHANGE_EMAIL');
  expect((await checkActionCode(auth, change)).data).toMatchObject({ email: newEmail, previousEmail: email });
  for (const code of [verify, change]) {
    expect(await codeOf(confirmPasswordReset(auth, code, 'renewed12'))).toBe('auth/invalid-action-code');
  }
  expect(await codeOf(applyActionCode(auth, reset))).toBe('auth/invalid-action-code');
  expect(await codeOf(applyActionCode(auth, ''))).toBe('auth/invalid-action-code');
  expect(await operation(reset)).toBe('PASSWORD_RESET');
});

test('a confirmed change gives the new address, ends every session and notifies the product and the old address', async () => {
  const { email, user, uid } = await aUser();
  const newEmail = anAddress('New');
  const anonymous = service.browser();
  await verifyBeforeUpdateEmail(user, newEmail);
  const code = await mailedCode(newEmail.toLowerCase(), 'verify_and_change_email');
  expect((await signIn(service.browser(), email, goodPassword)).user.uid).toBe(uid); // nothing has changed yet
  const { json } = await update({ oobCode: code });
  expect(json).toMatchObject({ localId: uid, email: newEmail.toLowerCase(), newEmail: newEmail.toLowerCase() });
  expect(json).toMatchObject({ emailVerified: true });
  expect(followed.filter((change) => change.uid === uid)).toEqual([{ uid, email: newEmail.toLowerCase() }]);
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired');
  expect(await codeOf(signIn(anonymous, email, goodPassword))).toBe('auth/invalid-credential');
  const { user: again } = await signIn(anonymous, newEmail, goodPassword);
  expect([again.uid, again.emailVerified]).toEqual([uid, true]);
  expect(await codeOf(applyActionCode(anonymous, code))).toBe('auth/invalid-action-code');
  const recovery = await mailedCode(email, 'recover_email');
  expect((await checkActionCode(anonymous, recovery)).operation).toBe('RECOVER_EMAIL');
});

test('a change is refused for an address that is no address, missing, or somebody has', async () => {
  const { email, user, idToken } = await aUser();
  const other = await aUser();
  const requestType = 'VERIFY_AND_CHANGE_EMAIL';
  expect(await send({ requestType, newEmail: anAddress() })).toBe('INVALID_ID_TOKEN');
  expect(await send({ requestType, idToken })).toBe('MISSING_NEW_EMAIL');
  expect(await send({ requestType, idToken, newEmail: 'nonsense' })).toBe('INVALID_NEW_EMAIL');
  expect(await send({ requestType: 7, idToken, newEmail: email })).toBe('EMAIL_EXISTS');
  expect(await codeOf(verifyBeforeUpdateEmail(user, other.email.toUpperCase()))).toBe('auth/email-already-in-use');
});

test('an address that somebody else takes first stays theirs, and the code is used up', async () => {
  const { email, user } = await aUser();
  const wanted = anAddress('wanted');
  await verifyBeforeUpdateEmail(user, wanted);
  const code = await mailedCode(wanted, 'verify_and_change_email');
  await signUp(service.browser(), wanted, goodPassword);
  expect(await codeOf(applyActionCode(service.browser(), code))).toBe('auth/email-already-in-use');
  expect(await codeOf(applyActionCode(service.browser(), code))).toBe('auth/invalid-action-code');
  await user.reload();
  expect(user.email).toBe(email);
});

test('a change wants a sign-in of the last five minutes', async () => {
  const { uid, email } = await aUser();
  const auth = service.browser();
  const { user } = await signIn(auth, email, goodPassword);
  await service.database.pool`update identity.sessions set auth_time = auth_time - 301 where uid = ${uid}`;
  await user.getIdToken(true);
  expect(await codeOf(verifyBeforeUpdateEmail(user, anAddress('new')))).toBe('auth/requires-recent-login');
  expect(await codeOf(sendEmailVerification(user))).toBe('ok');
});

test('a new password voids a change that was asked for before', async () => {
  const { user } = await aUser();
  const newEmail = anAddress('new');
  await verifyBeforeUpdateEmail(user, newEmail);
  const code = await mailedCode(newEmail, 'verify_and_change_email');
  await updatePassword(user, 'renewed12');
  expect(await codeOf(applyActionCode(service.browser(), code))).toBe('auth/invalid-action-code');
});

test('a change voids codes sent to the old address, except for undoing it', async () => {
  const { email, auth, user } = await aUser();
  await sendPasswordResetEmail(auth, email);
  const reset = await mailedCode(email, 'password_reset');
  const newEmail = anAddress('new');
  await verifyBeforeUpdateEmail(user, newEmail);
  await applyActionCode(auth, await mailedCode(newEmail, 'verify_and_change_email'));
  expect(await codeOf(confirmPasswordReset(auth, reset, 'renewed12'))).toBe('auth/invalid-action-code');
  expect(await codeOf(checkActionCode(auth, await mailedCode(email, 'recover_email')))).toBe('ok');
});

test('undoing restores the address, ends every session and the password, and emails a reset', async () => {
  const { email, newEmail, recovery, uid } = await aMovedUser();
  const anonymous = service.browser();
  const { user: thief } = await signIn(service.browser(), newEmail, goodPassword);
  const { data } = await checkActionCode(anonymous, recovery);
  expect(data).toMatchObject({ email, previousEmail: newEmail });
  expect((await update({ oobCode: recovery })).json).toMatchObject({ localId: uid, email, emailVerified: true });
  expect(followed.at(-1)).toEqual({ uid, email });
  expect(await codeOf(thief.getIdToken(true))).toBe('auth/user-token-expired');
  expect(await codeOf(signIn(anonymous, newEmail, goodPassword))).toBe('auth/invalid-credential');
  expect(await codeOf(signIn(anonymous, email, goodPassword))).toBe('auth/invalid-credential');
  const reset = await mailedCode(email, 'password_reset');
  await confirmPasswordReset(anonymous, reset, 'renewed12');
  expect((await signIn(anonymous, email, 'renewed12')).user.uid).toBe(uid);
  expect(await codeOf(applyActionCode(anonymous, recovery))).toBe('auth/invalid-action-code');
  expect(await codeOf(signUp(service.browser(), newEmail, goodPassword))).toBe('ok'); // it is free again
});

test('undoing works for an address left two changes ago, and ends the undoing of the one between', async () => {
  const { email, newEmail: between, recovery } = await aMovedUser();
  const auth = service.browser();
  const { user } = await signIn(auth, between, goodPassword);
  const last = anAddress('last');
  await verifyBeforeUpdateEmail(user, last);
  await applyActionCode(auth, await mailedCode(last, 'verify_and_change_email'));
  const fromBetween = await mailedCode(between, 'recover_email');
  expect(await codeOf(applyActionCode(auth, recovery))).toBe('ok');
  expect(await codeOf(applyActionCode(auth, fromBetween))).toBe('auth/invalid-action-code');
  expect(await codeOf(signIn(auth, email, goodPassword))).toBe('auth/invalid-credential');
});

test('an address that was left is held for its user for eight days, and they may return to it', async () => {
  const { email, newEmail, uid } = await aMovedUser();
  const { pool } = service.database;
  expect(await codeOf(signUp(service.browser(), email, goodPassword))).toBe('auth/email-already-in-use');
  expect(await codeOf(verifyBeforeUpdateEmail((await aUser()).user, email))).toBe('auth/email-already-in-use');
  const { user } = await signIn(service.browser(), newEmail, goodPassword);
  expect(await codeOf(verifyBeforeUpdateEmail(user, email))).toBe('ok');
  const [held] = await pool<{ days: number }[]>`
    select round(extract(epoch from held_until - now()) / 86400)::int as days from identity.addresses where email = ${email}`;
  expect(held?.days).toBe(8);
  await pool`update identity.addresses set held_until = now() - interval '1 second' where email = ${email}`;
  expect((await createUser(pool, email, goodPassword)).uid).not.toBe(uid);
});

test('a held address is released with its time, and with its user', async () => {
  const { pool } = service.database;
  const rest = async (email: string) =>
    (await pool`select from identity.addresses where email = ${email}`).count +
    (await pool`select from identity.oob_codes where email = ${email}`).count;
  const first = await aMovedUser();
  await pool`update identity.addresses set held_until = now() - interval '1 second' where email = ${first.email}`;
  await tidyIdentity(pool);
  expect(await rest(first.email)).toBe(1); // the code, which answers until its own end
  const second = await aMovedUser();
  await deleteUser(pool, second.newEmail);
  expect(await rest(second.email)).toBe(0);
});

test('of many who use one code at the same moment one succeeds', async () => {
  const { user } = await aUser();
  const newEmail = anAddress('new');
  await verifyBeforeUpdateEmail(user, newEmail);
  const code = await mailedCode(newEmail, 'verify_and_change_email');
  const all = await Promise.all(Array.from({ length: 6 }, () => codeOf(applyActionCode(service.browser(), code))));
  expect(all.filter((each) => each === 'ok')).toHaveLength(1);
  expect(all.filter((each) => each === 'auth/invalid-action-code')).toHaveLength(5);
});

test('an address that nobody has proven gets three emails, and one that is proven as many as are asked for', async () => {
  const { email, idToken } = await aUser();
  const asked = { requestType: 'VERIFY_EMAIL', idToken };
  const askedFor = async (times: number, mails: number) => {
    for (let time = 0; time < times; time += 1) expect(await send(asked)).toBe('ok');
    await vi.waitFor(async () => {
      expect(await service.database.pool`select from identity.oob_requests where email = ${email}`).toHaveLength(0);
    }, 60_000);
    expect(mailsTo(email, 'verify_email')).toHaveLength(mails);
  };
  await askedFor(5, 3);
  await update({ oobCode: await mailedCode(email, 'verify_email') });
  await askedFor(4, 7);
});

test('a new address that is asked again and again gets three emails, from any caller', async () => {
  const newEmail = anAddress('stranger');
  for (const { idToken } of [await aUser(), await aUser()]) {
    for (let time = 0; time < 3; time += 1)
      expect(await send({ requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail })).toBe('ok');
  }
  await vi.waitFor(async () => {
    expect(await service.database.pool`select from identity.oob_requests where new_email = ${newEmail}`).toHaveLength(
      0,
    );
  }, 60_000);
  expect(mailsTo(newEmail, 'verify_and_change_email')).toHaveLength(3);
});
