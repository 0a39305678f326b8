import { ErrorBody, getUser, operations } from '@sparechange/contract';
import { examples } from '@sparechange/contract/openapi';
import { type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintCustomToken } from '#identity/custom-token.ts';
import { makeKey, signingKeysFrom } from '#identity/signing-keys.ts';
import { disableUser } from '#identity/users.ts';
import { firebaseIssuer } from '#identity/verifier.ts';
import { aWholeApp, projectId, signUp, type WholeApp } from '#testing/whole-app.ts';

/** When Robin's token was issued, in seconds. */
let issuedAt: number;
const issuer = firebaseIssuer(projectId);

let api: WholeApp;
let robin: { uid: string; idToken: string };
/** Authorization headers that must be rejected. */
let refused: Record<string, string | undefined>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of Robin's like a genuine one, but for these claims, signed with the key that signs ours. */
async function aToken(claims: JWTPayload = {}, keys = api.keys): Promise<string> {
  const { privateKey } = await keys.signing();
  const { kid } = await api.keys.signing();
  const genuine = {
    iss: issuer,
    aud: projectId,
    sub: robin.uid,
    user_id: robin.uid,
    email: 'robin@example.com',
    auth_time: issuedAt,
    iat: issuedAt,
    exp: issuedAt + 3600,
  };
  return new SignJWT({ ...genuine, ...claims }).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey);
}

async function aTokenOfOneWhoIsDisabled(): Promise<string> {
  const { idToken } = await signUp(api, 'disabled@example.com');
  await disableUser(api.db, 'disabled@example.com');
  return idToken;
}

beforeAll(async () => {
  api = await aWholeApp();
  robin = await signUp(api, 'robin@example.com');
  await api.supporter({ uid: robin.uid });
  const [header = '', payload = '', signature = ''] = robin.idToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
  issuedAt = claims.iat ?? 0;
  const { kid } = await api.keys.signing();
  const published = JSON.stringify((await api.keys.published()).keys[0]);
  const others = await signingKeysFrom(JSON.stringify(await makeKey()));
  refused = {
    'no header': undefined,
    'an empty header': '',
    'another scheme': `Basic ${Buffer.from('robin@example.com:a long password').toString('base64')}`,
    'no scheme': robin.idToken,
    'two tokens': `Bearer ${robin.idToken} ${robin.idToken}`,
    'a uid': `Bearer ${robin.uid}`,
    expired: `Bearer ${await aToken({ auth_time: issuedAt - 3700, iat: issuedAt - 3700, exp: issuedAt - 100 })}`,
    'of another audience': `Bearer ${await aToken({ aud: 'another-project' })}`,
    'of another issuer': `Bearer ${await aToken({ iss: firebaseIssuer('another-project') })}`,
    'made in the future': `Bearer ${await aToken({ iat: issuedAt + 300, exp: issuedAt + 3900 })}`,
    'of nobody': `Bearer ${await aToken({ sub: '' })}`,
    'of one who is not there': `Bearer ${await aToken({ sub: 'nobody' })}`,
    'of one who is disabled': `Bearer ${await aTokenOfOneWhoIsDisabled()}`,
    'of a session that was ended': `Bearer ${await aToken({ iat: issuedAt - 600, exp: issuedAt + 3000 })}`,
    'signed by another key': `Bearer ${await aToken({}, others)}`,
    'with a changed payload': `Bearer ${header}.${encode({ ...claims, email: 'kim@example.com' })}.${signature}`,
    'with a changed signature': `Bearer ${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    unsigned: `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'unsigned, naming our key': `Bearer ${encode({ alg: 'none', kid, typ: 'JWT' })}.${payload}.${signature}`,
    'signed with our public key as a password': `Bearer ${await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(new TextEncoder().encode(published))}`,
    'a custom token': `Bearer ${await mintCustomToken({ keys: api.keys, issuer }, { uid: robin.uid })}`,
  };
});
afterAll(() => api.close());

test('a genuine token is let in, and so is the like of it that the others here are made from', async () => {
  for (const token of [robin.idToken, await aToken({ iat: issuedAt + 1 })]) {
    const answer = await api.send(getUser, { userId: robin.uid }, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  }
});

test.each(['bearer', 'BEARER', 'Bearer '])('a token is let in after "%s" too', async (scheme) => {
  const headers = { authorization: `${scheme} ${robin.idToken}` };
  expect((await api.send(getUser, { userId: robin.uid }, { headers })).status).toBe(200);
});

describe.each(operations.filter(({ access }) => access === 'supporter'))('$name', (operation) => {
  test('refuses every token that proves nothing, with the same words', async () => {
    for (const [what, authorization] of Object.entries(refused)) {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, body } = await api.send(operation, examples[operation.name]?.input, { headers });
      const { code, message } = ErrorBody.parse(body).error;
      expect([what, status, code, message]).toEqual([what, 401, 'signed-out', 'Please sign in again.']);
    }
  });
});
