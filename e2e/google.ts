import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from '@playwright/test';

export const project = { id: 'giving-clubs', apiKey: 'the-key-of-the-project' };

interface User {
  localId: string;
  email: string;
  password: string;
  isVerified?: boolean;
}

interface Asked {
  path: string;
  key: string | null;
  body: Record<string, unknown>;
}

/** A stand-in for Google's part of a Firebase project, for server and browsers. */
export interface Google {
  keysUrl: string;
  /** Counts the requests for the published keys. */
  keysAsked(): number;
  /** Browsers' requests to the Identity Toolkit. */
  asked: Asked[];
  /** Answers a browser's requests to Google's hosts in its place. */
  standInFor(context: BrowserContext): Promise<void>;
  /**
   * Changes a user's address, as Google's own page does for an email's link. Returns the code, mailed to the old
   * address, that undoes it.
   */
  changeEmail(from: string, to: string): string;
  /** A token like those of its users, signed with another key under the published key's name. */
  forgedToken(localId: string): string;
  close(): void;
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function idToken(
  { localId, email, isVerified = false }: Omit<User, 'password'>,
  kid: string,
  privateKey: KeyObject,
): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://securetoken.google.com/${project.id}`,
    aud: project.id,
    sub: localId,
    user_id: localId,
    auth_time: now,
    iat: now,
    exp: now + 3600,
    email,
    email_verified: isVerified,
    firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
  };
  const text = `${encoded({ alg: 'RS256', kid, typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

/** Publishes keys, signs and answers the SDK as Google does. */
export async function aGoogle(): Promise<Google> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  let keysAsked = 0;
  const server = createServer((_request, response) => {
    keysAsked += 1;
    response.writeHead(200, {
      'content-type': 'application/json; charset=UTF-8',
      'cache-control': 'public, max-age=21599, must-revalidate, no-transform',
    });
    response.end(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const users = new Map<string, User>();
  const recoveries = new Map<string, { email: string; newEmail: string }>();
  const asked: Asked[] = [];

  const moveUser = (from: string, to: string): void => {
    const user = users.get(from);
    if (!user) throw new Error(`${from} is nobody`);
    users.delete(from);
    users.set(to, { ...user, email: to, isVerified: true });
  };

  const session = (user: User) => {
    const { localId, email } = user;
    return { localId, email, idToken: idToken(user, kid, privateKey), refreshToken: localId, expiresIn: '3600' };
  };
  const answers: Record<string, (body: Record<string, string>) => unknown> = {
    '/v1/accounts:signUp': ({ email = '', password = '' }) => {
      const user = { localId: randomUUID().replaceAll('-', '').slice(0, 28), email, password };
      users.set(email, user);
      return session(user);
    },
    '/v1/accounts:signInWithPassword': ({ email = '', password }) => {
      const user = users.get(email);
      return user?.password === password && user ? { ...session(user), registered: true } : undefined;
    },
    '/v1/accounts:lookup': () => ({
      users: [...users.values()].map(({ localId, email }) => ({ localId, email, providerUserInfo: [] })).slice(-1),
    }),
    '/v1/accounts:sendOobCode': ({ email }) => ({ email }),
    '/v1/accounts:resetPassword': ({ oobCode = '' }) => {
      const recovery = recoveries.get(oobCode);
      return recovery && { requestType: 'RECOVER_EMAIL', ...recovery };
    },
    '/v1/accounts:update': ({ oobCode = '' }) => {
      const recovery = recoveries.get(oobCode);
      if (!recovery) return undefined;
      recoveries.delete(oobCode);
      moveUser(recovery.newEmail, recovery.email);
      return { kind: 'identitytoolkit#SetAccountInfoResponse', email: recovery.email, emailVerified: true };
    },
    '/v1/accounts:delete': ({ idToken: token = '' }) => {
      const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
      for (const { email, localId } of [...users.values()]) if (localId === sub) users.delete(email);
      return { kind: 'identitytoolkit#DeleteAccountResponse' };
    },
    '/v2/passwordPolicy': () => ({
      customStrengthOptions: { minPasswordLength: 6 },
      allowedNonAlphanumericCharacters: [],
      enforcementState: 'OFF',
      schemaVersion: 1,
    }),
  };

  return {
    keysUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    keysAsked: () => keysAsked,
    asked,
    standInFor: async (context) => {
      await context.route(/^https:\/\/(identitytoolkit|securetoken)\.googleapis\.com\//, async (route) => {
        const { pathname, searchParams } = new URL(route.request().url());
        const body = (route.request().postDataJSON() ?? {}) as Record<string, string>;
        asked.push({ path: pathname, key: searchParams.get('key'), body });
        const answer = answers[pathname]?.(body);
        const message = body.oobCode ? 'INVALID_OOB_CODE' : 'INVALID_LOGIN_CREDENTIALS';
        const refusal = { error: { code: 400, message, errors: [] } };
        await route.fulfill({
          status: answer ? 200 : 400,
          json: answer ?? refusal,
          headers: { 'access-control-allow-origin': '*' },
        });
      });
    },
    changeEmail: (from, to) => {
      moveUser(from, to);
      const code = randomUUID();
      recoveries.set(code, { email: from, newEmail: to });
      return code;
    },
    forgedToken: (localId) =>
      idToken(
        { localId, email: 'robin@example.com' },
        kid,
        generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      ),
    close: () => server.close(),
  };
}
