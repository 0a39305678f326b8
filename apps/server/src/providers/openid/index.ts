import * as client from 'openid-client';
import { z } from 'zod';
import { ProviderUnavailable } from '#ports/errors.ts';
import type { SingleSignOn } from '#ports/single-sign-on.ts';

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
}

/** Values that an answer is checked against. */
const Kept = z.object({ verifier: z.string(), state: z.string(), nonce: z.string() });

/** An address counts only where the provider says that it is verified. */
const Address = z.object({ email: z.email().toLowerCase(), email_verified: z.literal(true) });

/** A proof of identity is never later than the token. */
const Times = z
  .object({
    iat: z.number(),
    auth_time: z.number().min(0).default(0), // not said: long ago, so that dangerous acts ask again
  })
  .refine(({ iat, auth_time }) => auth_time <= iat);

const timeoutSeconds = 10;
/** As long as a session of the console: it makes the provider say when somebody proved who they are. */
const longestAgeSeconds = 12 * 3600;

/** Signs people in by an OpenID Connect provider; its settings are read at the first sign-in, and again where that failed. */
export function openIdSignOn({ issuer, clientId, clientSecret, name }: OpenIdSettings): SingleSignOn {
  let found: Promise<client.Configuration> | undefined;
  const isPlain = new URL(issuer).protocol === 'http:'; // on one machine, in development
  const discover = (): Promise<client.Configuration> => {
    // Who stands between us and the provider could change a token: TLS alone does not say who wrote it.
    const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])];
    const options = { timeout: timeoutSeconds, execute };
    found ??= client.discovery(new URL(issuer), clientId, clientSecret, undefined, options).catch((cause: unknown) => {
      found = undefined;
      throw new ProviderUnavailable('The sign-in of the organisation does not answer.', { cause });
    });
    return found;
  };

  return {
    name,
    async begin(returnTo, isFresh) {
      const configuration = await discover();
      const kept = {
        verifier: client.randomPKCECodeVerifier(),
        state: client.randomState(),
        nonce: client.randomNonce(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: returnTo.href,
        scope: 'openid email',
        code_challenge: await client.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
        state: kept.state,
        nonce: kept.nonce,
        ...(isFresh ? { prompt: 'login', max_age: '0' } : { max_age: String(longestAgeSeconds) }),
      });
      return { url, kept: JSON.stringify(kept) };
    },
    async finish(returnedTo, text) {
      const { verifier, state, nonce } = Kept.parse(JSON.parse(text));
      const configuration = await discover();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const said = await whatIsSaid(configuration, returnedTo, checks).catch((cause: unknown) => {
        if (isRefusal(cause)) return undefined;
        throw new ProviderUnavailable('The sign-in of the organisation does not answer.', { cause });
      });
      const address = Address.safeParse(said?.ofAddress).data;
      const times = Times.safeParse(said?.ofTimes).data;
      return address && times && { email: address.email, provenAt: new Date(times.auth_time * 1_000) };
    },
  };
}

/**
 * Returns the provider's claims about a person; many give the address, and whether it is proven, only where it is asked
 * for.
 */
async function whatIsSaid(
  configuration: client.Configuration,
  returnedTo: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<{ ofAddress: unknown; ofTimes: unknown }> {
  const tokens = await client.authorizationCodeGrant(configuration, returnedTo, checks);
  const claims = tokens.claims();
  if (!claims || claims.email !== undefined) return { ofAddress: claims, ofTimes: claims };
  const ofAddress = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ofAddress, ofTimes: claims };
}

/** Returns true for a refusal by the provider or the check of its answer, rather than for silence. */
const isRefusal = (error: unknown): boolean =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  (error instanceof client.ClientError && error.code !== 'OAUTH_TIMEOUT');
