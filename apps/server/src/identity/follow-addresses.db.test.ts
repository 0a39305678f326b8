import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { followAddresses, noteAddressChange } from './follow-addresses.ts';
import type { IdentityService } from './service.ts';

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
    following(async ({ email }) => {
      begin();
      await slow;
      written.push(email);
    }),
  );
  await begun;
  const quick = following(async ({ email }) => void written.push(email));
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
  await followAddresses(following(async ({ email }) => void written.push(email)));
  expect(written).toEqual(['again@example.com']);
});
