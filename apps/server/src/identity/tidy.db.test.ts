import { expect, test } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { findOobCode } from './oob-code-repository.ts';
import { makeResetCode } from './oob-codes.ts';
import { hashSecret } from './secret.ts';
import { findSession, insertSession, spendToken } from './session-repository.ts';
import { tidyIdentity } from './tidy.ts';
import { createUser } from './users.ts';

const database = ownDatabase();

test('ended rows are deleted, others stay', async () => {
  const { pool } = database;
  const { uid } = await createUser(pool, 'ann@example.com', 'secret12');
  const code = hashSecret((await makeResetCode(pool, 'ann@example.com')) ?? '');
  const session = hashSecret('session').toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  await insertSession(pool, { id: session, uid, since: now, authTime: now, provider: 'password' });
  await spendToken(pool, 'a', now + 60);

  await tidyIdentity(pool);
  expect(await findOobCode(pool, code)).toMatchObject({ uid, isExpired: false, isVoid: false });
  expect(await findSession(pool, session)).toMatchObject({ uid });
  expect(await spendToken(pool, 'a', now + 60)).toBe('spent before');

  await pool`update identity.sessions set used_at = now() - interval '366 days'`;
  await pool`update identity.oob_codes set expires_at = now() - interval '25 hours'`;
  await pool`update identity.spent_tokens set expires_at = now() - interval '2 hours'`;
  await tidyIdentity(pool);
  expect(await findOobCode(pool, code)).toBeUndefined();
  expect(await findSession(pool, session)).toBeUndefined();
  expect(await spendToken(pool, 'a', now + 60)).toBe('spent');
});
