import { deleteApp, initializeApp } from '@firebase/app';
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from '@firebase/auth';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { actionPageAt } from '#identity/oob-mails.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { identityRoutes } from '../routes.ts';
import type { IdentityDeps, OobMail } from '../service.ts';
import { makeKey, type SigningKeys, signingKeysFrom } from '../signing-keys.ts';

export const projectId = 'demo-x';
export const apiKey = 'fake-api-key';

/** A listening identity service with its own database and emails. */
export interface TestService {
  app: FastifyInstance;
  database: TestDatabase;
  keys: SigningKeys;
  url: string;
  mails: OobMail[];
  /** The real SDK in a browser of its own. */
  browser(): Auth;
  /** One raw call; `path` is what follows the first prefix. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** The fields tests read of an answer of the service. */
export const Answer = z.looseObject({
  error: z
    .object({
      code: z.number(),
      message: z.string().optional(),
      status: z.string().optional(),
      errors: z.array(z.object({ message: z.string(), domain: z.string(), reason: z.string() })),
    })
    .optional(),
  email: z.string().optional(),
  idToken: z.string().optional(),
  localId: z.string().optional(),
  keys: z.array(z.record(z.string(), z.string())).optional(),
});

export interface RawAnswer {
  status: number;
  json: z.infer<typeof Answer>;
  headers: Headers;
}

export const aKeySet = async (): Promise<SigningKeys> => signingKeysFrom(JSON.stringify(await makeKey()));

export async function aService(changes: Partial<IdentityDeps> = {}): Promise<TestService> {
  const database = await aDatabase();
  const keys = changes.keys ?? (await aKeySet());
  const mails: OobMail[] = [];
  const app = Fastify({ trustProxy: true }); // a test comes from anywhere by X-Forwarded-For
  await app.register(identityRoutes, {
    db: database.pool,
    keys,
    projectId,
    apiKey,
    sendOobMail: async (mail) => void mails.push(mail),
    isAllowedOrigin: ({ hostname }) => hostname === 'localhost' || hostname === '127.0.0.1',
    actionPage: (link) => actionPageAt(link.origin ?? 'https://product.example', link),
    ...changes,
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const browsers: Auth[] = [];
  return {
    app,
    database,
    keys,
    url,
    mails,
    browser: () => {
      const firebase = initializeApp({ apiKey, projectId, authDomain: 'localhost' }, crypto.randomUUID());
      const auth = initializeAuth(firebase, { persistence: inMemoryPersistence });
      connectAuthEmulator(auth, url, { disableWarnings: true });
      browsers.push(auth);
      return auth;
    },
    call: async (path, body, headers = {}) => {
      const answer = await fetch(`${url}/identitytoolkit.googleapis.com${path}?key=${apiKey}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body ?? {}),
      });
      return { status: answer.status, json: Answer.parse(await answer.json()), headers: answer.headers };
    },
    close: async () => {
      await Promise.all(browsers.map(({ app }) => deleteApp(app)));
      await app.close();
      await database.drop();
    },
  };
}

let count = 0;

/** An address nobody else in the test has. */
export const anAddress = (name = 'ann'): string => `${name}-${++count}@example.com`;

export const goodPassword = 'secret12';

/** Returns a failing promise's SDK error code, or `ok`. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
