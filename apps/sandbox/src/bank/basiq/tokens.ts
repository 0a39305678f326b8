import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '#world/database.ts';
import { forbidden, unauthorized } from './problem.ts';

export const tokenLifeSeconds = 3600;

const Claims = z.object({
  scope: z.enum(['SERVER_ACCESS', 'CLIENT_ACCESS']),
  userId: z.string().optional(),
  exp: z.number(),
});
export type Claims = z.infer<typeof Claims>;

/** Returns the stored key; it and its tokens survive restarts. */
function signingKey(db: Db): Buffer {
  const stored = () => db.find<{ value: string }>("select value from settings where key = 'token key'")?.value;
  const known = stored();
  if (known !== undefined) return Buffer.from(known, 'hex');
  db.run("insert or ignore into settings (key, value) values ('token key', ?)", randomBytes(32).toString('hex'));
  return Buffer.from(stored() ?? '', 'hex');
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const sign = (db: Db, text: string): Buffer => createHmac('sha256', signingKey(db)).update(text).digest();

export function mintToken(db: Db, claims: Omit<Claims, 'exp'>, now: number): string {
  const exp = Math.floor(now / 1000) + tokenLifeSeconds;
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, exp, jti: randomBytes(8).toString('hex') })}`;
  return `${text}.${sign(db, text).toString('base64url')}`;
}

const maxRemembered = 1_000;
/** Claims of genuine tokens, by signing key and token. */
const genuine = new Map<string, Claims>();

export function readToken(db: Db, token: string, now: number): Claims {
  const name = `${signingKey(db).toString('hex')} ${token}`;
  const claims = genuine.get(name) ?? verified(db, token);
  if (genuine.size >= maxRemembered) genuine.clear();
  genuine.set(name, claims);
  if (claims.exp * 1000 <= now) throw forbidden('access-denied', 'Token has expired');
  return claims;
}

function verified(db: Db, token: string): Claims {
  const [header = '', body = '', signature = ''] = token.split('.');
  const expected = sign(db, `${header}.${body}`);
  const given = Buffer.from(signature, 'base64url');
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isGenuine) throw unauthorized('Invalid authorization token.');
  return Claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
}
