import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { followPasswordChanges } from './follow-password-changes.ts';
import { changePassword } from './user-repository.ts';

const database = ownDatabase();

test('a new password that could not be confirmed is confirmed later, once', async () => {
  await database.pool`
    insert into identity.users (uid, email, password_hash, valid_since) values ('pat', 'pat@example.com', '-', 0)`;
  expect(await changePassword(database.pool, { uid: 'pat', validSince: 0 }, 'new')).toBeGreaterThan(0);
  const confirmed: string[] = [];
  const following = (passwordChanged: (uid: string) => Promise<void>) =>
    followPasswordChanges({ db: database.pool, passwordChanged });
  await expect(following(() => Promise.reject(new Error('the bucket is gone')))).rejects.toThrow('the bucket is gone');
  for (let time = 0; time < 2; time += 1) await following(async (uid) => void confirmed.push(uid));
  expect(confirmed).toEqual(['pat']);
});

test('a password that is not changed is not confirmed', async () => {
  expect(await changePassword(database.pool, { uid: 'pat', validSince: 0 }, 'other')).toBeUndefined();
  expect(await database.pool`select from identity.password_changes`).toHaveLength(0);
});
