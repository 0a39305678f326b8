import * as contract from '@sparechange/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import { findSupporterIdByEmail } from '#features/supporters/profiles/supporter-repository.ts';
import { followAddress, followAddresses, noteAddressChange } from '#identity/follow-changes.ts';
import type { OobRequestType } from '#identity/oob-code-repository.ts';
import { makeOobCode } from '#identity/oob-codes.ts';
import { changeFollowers } from '#runtime/embedded-identity.ts';
import { aSupporter } from '#testing/makers.ts';
import { aWholeApp, identityKey, type WholeApp } from '#testing/whole-app.ts';
import { changeEmail, followVerifiedEmail } from './change-email.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

let count = 0;
const anAddress = (name: string) => `${name}-${++count}@example.com`;

async function toolkit(operation: string, payload: object) {
  const url = `/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=${identityKey}`;
  const answer = await api.app.inject({ method: 'POST', url, headers: { host: 'localhost' }, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

/** A supporter with a user of the embedded identity service. */
async function aPerson() {
  const email = anAddress('robin');
  const { body } = await toolkit('signUp', { email, password: 'a long password' });
  const { localId: uid = '', idToken = '' } = body;
  const { supporterId } = await aSupporter(api.db, { uid, email, isProven: false });
  return { email, uid, idToken, supporterId };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

const record = async (supporterId: string) => {
  const [row] = await api.rows<{ email: string; isProven: boolean; user: string; isVerified: boolean }[]>`
    select supporters.email, email_proven_at is not null as "isProven", users.email as user,
      email_verified as "isVerified"
    from supporters join identity.users using (uid) where supporter_id = ${supporterId}`;
  return row;
};

async function apply({ uid, email }: Person, requestType: OobRequestType, newEmail: string) {
  const since = Math.floor(Date.now() / 1000) + 2;
  const oobCode = await makeOobCode(api.db, { uid, requestType, email, newEmail, since });
  return toolkit('update', { oobCode });
}

test('the supporter has the new address immediately, and waiting emails and links use it', async () => {
  const person = await aPerson();
  const newEmail = anAddress('new');
  await queueEmail(api.db, {
    supporterId: person.supporterId,
    key: 'password_changed',
    facts: { kind: 'password_changed' },
    at: api.clock.now(),
  });
  expect((await apply(person, 'verify_and_change_email', newEmail)).status).toBe(200);
  expect(await record(person.supporterId)).toEqual({
    email: newEmail,
    isProven: true,
    user: newEmail,
    isVerified: true,
  });
  expect(await findSupporterIdByEmail(api.db, newEmail)).toBe(person.supporterId);
  expect(await findSupporterIdByEmail(api.db, person.email)).toBeUndefined();
  const [mail] = await api.rows<{ email: string }[]>`
    select email from mails join supporters using (supporter_id) where supporter_id = ${person.supporterId}`;
  expect(mail?.email).toBe(newEmail);
});

test('a session from before the change is over, and undoing gives the supporter the old address back', async () => {
  const person = await aPerson();
  const newEmail = anAddress('new');
  const getUser = () =>
    api.call(contract.getUser, { userId: person.uid }, { headers: { authorization: `Bearer ${person.idToken}` } });
  expect((await getUser()).status).toBe(200);
  await apply(person, 'verify_and_change_email', newEmail);
  expect((await getUser()).status).toBe(401);
  expect((await apply(person, 'recover_email', newEmail)).status).toBe(200);
  expect(await record(person.supporterId)).toMatchObject({ email: person.email, user: person.email });
});

test('a change that the product cannot follow immediately is followed later', async () => {
  const person = await aPerson();
  const newEmail = anAddress('new');
  const bucket = api.db.of(person.supporterId);
  await bucket`alter table supporters add constraint no_such_address check (email <> ${bucket.unsafe(`'${newEmail}'`)})`;
  expect((await apply(person, 'verify_and_change_email', newEmail)).status).toBe(200);
  await bucket`alter table supporters drop constraint no_such_address`;
  expect(await record(person.supporterId)).toMatchObject({ email: person.email, user: newEmail });
  await followAddresses({ db: api.db, ...changeFollowers(api) });
  expect(await record(person.supporterId)).toMatchObject({ email: newEmail, user: newEmail });
  expect([...(await api.db`select from identity.address_changes`)]).toEqual([]);
});

test('more address changes than there are connections are followed concurrently', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => aSupporter(api.db)));
  const changed = people.map(async ({ uid, supporterId }) => {
    const email = anAddress('new');
    await api.db.begin(async (tx) => {
      await tx`insert into identity.users (uid, email, password_hash, valid_since) values (${uid}, ${email}, '-', 0)`;
      await noteAddressChange(tx, uid);
    });
    await followAddress({ db: api.db, ...changeFollowers(api) }, uid);
    expect(await record(supporterId)).toMatchObject({ email });
  });
  await Promise.all(changed);
});

test('the link of the welcome email verifies the address at the identity service too', async () => {
  const { email, supporterId } = await aPerson();
  const token = api.renewalLinks.token('confirm', email, new Date(api.clock.now().getTime() + 60_000));
  expect(await record(supporterId)).toMatchObject({ isProven: false, isVerified: false });
  expect((await api.call(contract.confirmEmail, { email, token })).status).toBe(200);
  expect(await record(supporterId)).toMatchObject({ isProven: true, isVerified: true });
});

test('a code that verifies the address confirms it to the product, and repeating the change counts once', async () => {
  const person = await aPerson();
  expect((await apply(person, 'verify_email', '')).status).toBe(200);
  expect(await record(person.supporterId)).toMatchObject({ isProven: true, isVerified: true });
  const at = api.clock.now();
  const change = { supporterId: person.supporterId, email: anAddress('new'), at };
  await changeEmail(api.db, change);
  await changeEmail(api.db, { ...change, at: new Date(at.getTime() + 1000) });
  const [row] = await api.rows<{ at: Date }[]>`
    select email_changed_at as at from supporters where supporter_id = ${person.supporterId}`;
  expect(row?.at).toEqual(at);
});

test('a change at Google is followed by a verified token, and not undone by an earlier one', async () => {
  const { email, uid, supporterId } = await aPerson();
  const seconds = Math.floor(api.clock.now().getTime() / 1000);
  const newEmail = anAddress('new');
  const token = (address: string, after: number, isEmailVerified = true) =>
    followVerifiedEmail(api.db, { uid, email: address, isEmailVerified, issuedAt: seconds + after });
  await token(newEmail, 60, false);
  expect(await record(supporterId)).toMatchObject({ email });
  await token(newEmail.toUpperCase(), 60);
  expect(await record(supporterId)).toMatchObject({ email: newEmail, isProven: true });
  await token(email, 30);
  expect(await record(supporterId)).toMatchObject({ email: newEmail });
  await token(email, 90);
  expect(await record(supporterId)).toMatchObject({ email });
});
