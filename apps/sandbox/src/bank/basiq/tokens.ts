import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Db, readSetting, saveSetting } from '#world/database.ts';
import type { World } from '#world/world.ts';
import { BasiqProblem, forbidden, parameterNotSupplied, parameterNotValid, unauthorized } from './answers.ts';
import { getUser } from './users.ts';

const lifeSeconds = 3600;

const Claims = z.object({
  scope: z.enum(['SERVER_ACCESS', 'CLIENT_ACCESS']),
  userId: z.string().optional(),
  exp: z.number(),
});
export type Claims = z.infer<typeof Claims>;

/** Returns the stored key; it and its tokens survive restarts. */
function signingKey(db: Db): string {
  const known = readSetting(db, 'token key');
  if (known !== undefined) return known;
  const made = randomBytes(32).toString('hex');
  saveSetting(db, 'token key', made);
  return made;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const sign = (key: string, text: string): Buffer => createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest();

function mintToken(db: Db, claims: Omit<Claims, 'exp'>, now: number): string {
  const exp = Math.floor(now / 1000) + lifeSeconds;
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp, jti: randomBytes(8).toString('hex') })}`;
  return `${text}.${sign(signingKey(db), text).toString('base64url')}`;
}

const maxRemembered = 1_000;
/** Claims of genuine tokens, by signing key and token. */
const genuine = new Map<string, Claims>();

export function readToken(db: Db, token: string, now: number): Claims {
  const key = signingKey(db);
  const claims = genuine.get(`${key} ${token}`) ?? verifiedClaims(key, token);
  if (genuine.size >= maxRemembered) genuine.clear();
  genuine.set(`${key} ${token}`, claims);
  if (claims.exp * 1000 <= now) throw forbidden('access-denied', 'Token has expired');
  return claims;
}

function verifiedClaims(key: string, token: string): Claims {
  const [header = '', body = '', signature = ''] = token.split('.');
  const expected = sign(key, `${header}.${body}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw unauthorized();
  return Claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
}

/** Accepts server tokens alone, not those of the consent pages. */
export function requireServerToken({ db, clock }: World, request: FastifyRequest): void {
  const [kind, token] = (request.headers.authorization ?? '').split(' ');
  if (kind !== 'Bearer' || token === undefined) throw unauthorized();
  const { scope } = readToken(db, token, clock.now());
  if (scope !== 'SERVER_ACCESS') throw forbidden('forbidden-access', 'Access to this resource is forbidden.');
}

const Body = z.object({ scope: z.string().optional(), userId: z.string().optional() });

export function tokenRoutes(app: FastifyInstance, { db, clock }: World, apiKey: string): void {
  app.post('/token', async ({ headers, body }) => {
    const { 'basiq-version': version, authorization } = headers;
    if (version === undefined) throw parameterNotSupplied('basiq-version header is required.', 'basiq-version');
    if (version !== '3.0') throw parameterNotValid('Unsupported basiq-version.', 'basiq-version');
    if (authorization === undefined || !authorization.startsWith('Basic ')) {
      throw parameterNotValid('Authorization header is missing or invalid.', 'Authorization');
    }
    // The key is compared as it stands: it is base64 already, and encoding it again is a common mistake.
    if (authorization !== `Basic ${apiKey}`) {
      const detail = 'Unable to authenticate. Please, check your API key';
      throw new BasiqProblem(404, 'resource-not-found', 'Resource not found.', detail);
    }
    const { scope, userId } = Body.parse(body ?? {});
    if (scope !== 'SERVER_ACCESS' && scope !== 'CLIENT_ACCESS')
      throw parameterNotValid('Scope value is not valid.', 'scope');
    if (scope === 'CLIENT_ACCESS' && userId !== undefined) getUser(db, userId);
    const access_token = mintToken(db, { scope, userId }, clock.now());
    return { access_token, expires_in: lifeSeconds, token_type: 'Bearer' };
  });
}
