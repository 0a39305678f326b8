import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { followAddresses, followPasswordChanges, noteAddressChange } from './follow-changes.ts';
import type { IdentityService } from './service.ts';
import { changePassword } from './user-repository.ts';

const database = ownDatabase();

const following = (afterAddressChange: IdentityService['afterAddressChange']) => ({
  db: database.pool,
  afterAddressChange,
});

const changeTo = (email: string) =>
  database.pool.begin(async (tx) => {
    await tx`
      insert into identity.users (uid, email, password_hash, valid_since) values ('pat', ${email}, '-', 0)
      on conflict (uid) do update set email = excluded.email`;
    await noteAddressChange(tx, 'pat');
  });

test('a slow follower does not write an address after a newer one', async () => {
  const written: string[] = [];
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
  await changeTo('before@example.com');
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = followAddresses(
    following(async (_tx, { email }) => {
      begin();
      await slow;
      written.push(email);
    }),
  );
  await begun;
  const quick = following(async (_tx, { email }) => void written.push(email));
  await followAddresses(quick); // leaves alone what another has in hand
  const changing = changeTo('after@example.com');
  goOn();
  await Promise.all([first, changing]);
  await followAddresses(quick);
  expect(written).toEqual(['before@example.com', 'after@example.com']);
  expect(await database.pool`select from identity.address_changes`).toHaveLength(0);
});

test('an address that cannot be followed is kept for later', async () => {
  await changeTo('again@example.com');
  await expect(followAddresses(following(() => Promise.reject(new Error('away'))))).rejects.toThrow('away');
  const written: string[] = [];
  await followAddresses(following(async (_tx, { email }) => void written.push(email)));
  expect(written).toEqual(['again@example.com']);
});

test('a new password that could not be confirmed is confirmed later, once', async () => {
  await database.pool`
    insert into identity.users (uid, email, password_hash, valid_since) values ('sam', 'sam@example.com', '-', 0)`;
  expect(await changePassword(database.pool, { uid: 'sam', validSince: 0 }, 'new')).toBeGreaterThan(0);
  const confirmed: string[] = [];
  const following = (passwordChanged: IdentityService['passwordChanged']) =>
    followPasswordChanges({ db: database.pool, passwordChanged });
  await expect(following(() => Promise.reject(new Error('the bucket is gone')))).rejects.toThrow('the bucket is gone');
  for (let time = 0; time < 2; time += 1) await following(async (_tx, { uid }) => void confirmed.push(uid));
  expect(confirmed).toEqual(['sam']);
});

test('a password that is not changed is not confirmed', async () => {
  expect(await changePassword(database.pool, { uid: 'sam', validSince: 0 }, 'other')).toBeUndefined();
  expect(await database.pool`select from identity.password_changes`).toHaveLength(0);
});
