import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const openIdClient = { clientId: 'console', clientSecret: 'a secret of the console' };

export interface OpenIdProvider {
  issuer: string;
  /** The person who signs in next: their address, and whether it is proven. */
  person: { email: string; isVerified: boolean };
  /** Re-signs an ID token of its own with other claims. */
  signAgain(idToken: string, changes: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Starts an OpenID Connect provider that signs in everybody immediately as `person`. */
export async function anOpenIdProvider(returnTo: string): Promise<OpenIdProvider> {
  const server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const signingKey = await aSigningKey();
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const own: OpenIdProvider = {
    issuer,
    person: { email: 'pat@example.com', isVerified: true },
    signAgain: async (idToken, changes) => {
      const claims = { ...decodeJwt(idToken), ...changes };
      const { alg, kid } = signingKey;
      return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(await importJWK(signingKey, alg));
    },
    close: () => closeServer(server),
  };
  const provider = new Provider(issuer, {
    clients: [
      { client_id: openIdClient.clientId, client_secret: openIdClient.clientSecret, redirect_uris: [returnTo] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: own.person.email, email_verified: own.person.isVerified }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    loadExistingGrant: async (context) => {
      const accountId = context.oidc.session?.accountId ?? '';
      const grant = new context.oidc.provider.Grant({ clientId: openIdClient.clientId, accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [signingKey] },
    ttl: { Session: 3_600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return void answer(request, response);
    const login = { accountId: own.person.email };
    void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  });
  return own;
}

async function aSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'test' };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
