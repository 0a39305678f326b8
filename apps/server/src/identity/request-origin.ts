import type { FastifyRequest } from 'fastify';
import type { IdentityDeps } from './identity-deps.ts';
import { Refused } from './refusal.ts';

type AllowsOrigin = IdentityDeps['isAllowedOrigin'];

/** Returns the action page's continue URL. Throws INVALID_CONTINUE_URI or UNAUTHORIZED_DOMAIN. */
export function parseContinueUrl(text: string | undefined, isAllowedOrigin: AllowsOrigin): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Refused('INVALID_CONTINUE_URI');
  if (!isAllowedOrigin(new URL(url.origin))) {
    throw new Refused('UNAUTHORIZED_DOMAIN : Domain not allowlisted by project');
  }
  return url.href;
}

/** Returns the origin a request came to. The Host header is the caller's word, so only an allowed one may get into a mail. */
export function originOf(request: FastifyRequest, isAllowedOrigin: AllowsOrigin): string | undefined {
  const url = URL.parse(`${request.protocol}://${request.host}`);
  return url && isAllowedOrigin(new URL(url.origin)) ? url.origin : undefined;
}

/** Returns the browser's language tag; anything else counts as none. */
export function localeOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-firebase-locale'];
  return typeof header === 'string' && /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(header) ? header : undefined;
}
