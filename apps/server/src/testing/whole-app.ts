import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyServerOptions } from 'fastify';
import type { AppDeps } from '#app-deps.ts';
import { supporterIdOf } from '#caller.ts';
import type { Db } from '#db/connect.ts';
import { landingSource } from '#features/beneficiaries/clubs/landings.ts';
import { confirmEmail } from '#features/supporters/identity/change-email.ts';
import { rejectEndedSignIns } from '#features/supporters/identity/sessions.ts';
import { closeAccountOfRemoved } from '#features/supporters/offboarding/close-supporter.ts';
import { serveConsolePages } from '#http/console-pages.ts';
import { rateLimits } from '#http/rate-limit.ts';
import { serveWeb } from '#http/web.ts';
import { mintCustomToken } from '#identity/custom-token.ts';
import { actionPageAt } from '#identity/oob-mails.ts';
import { InvalidIdToken } from '#identity/refusal.ts';
import { identityRoutes } from '#identity/routes.ts';
import { isStillSignedIn, ownSessions } from '#identity/session.ts';
import { makeKey, type SigningKeys, signingKeysFrom } from '#identity/signing-keys.ts';
import { verifyEmail } from '#identity/users.ts';
import { createVerifier, firebaseIssuer } from '#identity/verifier.ts';
import { changeFollowers } from '#runtime/embedded-identity.ts';
import { findDraft } from '#tenants/draft-repository.ts';
import { tenantFiles } from '#tenants/tenant-files.ts';
import { type AppUnderTest, anApp } from './app-under-test.ts';

export const identityKey = 'key-of-the-project';
export const projectId = 'demo-x';

const indexHtml = `<!doctype html><html><head><!--tenant--></head><body><div id="root"></div></body></html>`;

const script = Buffer.from('void 0;'.repeat(500));

/** A built web app with a page, a script and a document, a built console, and beside them a logo of a tenant. */
async function someFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sparechange-web-'));
  for (const name of ['console/assets', 'web/assets', 'web/pages', 'tenants/logos', 'tenants/pictures'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'web/index.html'), indexHtml);
  for (const [end, content] of Object.entries({
    '': script,
    '.br': brotliCompressSync(script),
    '.gz': gzipSync(script),
  }))
    await writeFile(join(folder, `web/assets/main-0a1b2c.js${end}`), content);
  await writeFile(join(folder, 'console/index.html'), '<!doctype html><div id="root"></div>');
  await writeFile(join(folder, 'console/assets/main-0a1b2c.js'), script);
  await writeFile(join(folder, 'web/pages/support.html'), '<!doctype html><title>Support</title>');
  await writeFile(join(folder, 'tenants/logos/default.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return folder;
}

export interface WholeApp extends AppUnderTest {
  /** The keys that sign its ID tokens. */
  keys: SigningKeys;
}

/** Everything one port serves: the API, the identity service with its real tokens, and the files of web app and console. */
export async function aWholeApp(changes: Partial<AppDeps> = {}, options: FastifyServerOptions = {}): Promise<WholeApp> {
  const keys = await signingKeysFrom(JSON.stringify(await makeKey()));
  let verify: AppDeps['verifyIdToken'] = async () => undefined;
  let database: Db | undefined;
  const db = () => {
    if (!database) throw new Error('The database is not there yet.');
    return database;
  };
  const api = await anApp(
    {
      verifyIdToken: (token) => verify(token),
      mintHandOffToken: async (handOff) =>
        (await isStillSignedIn(db(), { ...handOff, tokenIssuedAt: handOff.since }))
          ? mintCustomToken({ keys, issuer: firebaseIssuer(projectId) }, handOff)
          : undefined,
      sessions: {
        end: (caller) => ownSessions(db()).end(caller),
        endEvery: (caller) => ownSessions(db()).endEvery(caller),
      },
      verifyEmail: (email) => verifyEmail(db(), email),
      ...changes,
    },
    options,
  );
  database = api.db;
  const check = createVerifier({ projectId, keys, db: api.db });
  verify = rejectEndedSignIns(api.db, (token) =>
    check(token, { stillValid: true }).catch((error: unknown) => {
      if (error instanceof InvalidIdToken) return undefined;
      throw error;
    }),
  );
  await identityRoutes(api.app, {
    db: api.db,
    keys,
    projectId,
    apiKey: identityKey,
    sendOobMail: async () => {},
    beforeRemove: (uid) => closeAccountOfRemoved(api.db.of(supporterIdOf(uid)), api.clock, supporterIdOf(uid)),
    afterAddressProven: (email) => confirmEmail(api.db, email, api.clock.now()),
    ...changeFollowers(api),
    isAllowedOrigin: ({ hostname }) => hostname === 'localhost',
    actionPage: (link) => actionPageAt('https://sparechange.example', link),
  });
  const folder = await someFiles();
  const landings = landingSource({ ...api, mainTenant: 'default' });
  await serveWeb(api.app, {
    webFolder: join(folder, 'web'),
    tenantsFolder: join(folder, 'tenants'),
    files: tenantFiles(join(folder, 'tenants'), api.db),
    tenants: api.tenants,
    browserConfig: {
      productDomain: 'sparechange.example',
      tenantRule: 'provider-domain',
      mainTenant: 'default',
      api: '/api',
      identity: {
        apiKey: identityKey,
        authDomain: 'sparechange.example',
        projectId,
        storageBucket: '',
        messagingSenderId: '',
        appId: '1:1:web:x',
        measurementId: '',
        selfHostedUrl: null,
      },
    },
    embedsIdentity: true,
    isOurs: ({ hostname, host }) => hostname === 'localhost' || api.sites.isOurs(host),
    allowedHosts: () => ({ connect: [], frame: ['https://help.example'], script: [] }),
    landingsAt: landings.at,
    movedTo: landings.movedTo,
    addressesOf: landings.addressesOf,
    choiceOf: landings.choiceOf,
    siteOf: api.sites.siteOf,
    draftOf: (id) => findDraft(api.db, id),
    givenPictures: api.givenPictures,
    dossierKeys: api.dossierKeys.published,
    limits: rateLimits(api.db, changes.edge?.rateLimitFactor),
    renderPage: ({ landings }) => `<h1>${landings?.club?.landing?.page.name ?? 'Login'}</h1>`,
  });
  await serveConsolePages(api.app, join(folder, 'console'));
  return {
    ...api,
    keys,
    close: async () => {
      await api.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Signs somebody up; returns the uid and the ID token. */
export async function signUp({ app }: AppUnderTest, email: string): Promise<{ uid: string; idToken: string }> {
  const answer = await app.inject({
    method: 'POST',
    url: `/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${identityKey}`,
    payload: { email, password: 'a long password', returnSecureToken: true },
  });
  const { localId, idToken } = answer.json<{ localId: string; idToken: string }>();
  return { uid: localId, idToken };
}
