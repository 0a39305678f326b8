import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { keptAddress } from '#kept-address.ts';
import { invalidArgument, Refused } from './refusal.ts';
import type { IdentityDeps } from './service.ts';

/** Parses a request body or query. Throws Refused in the words of Google's JSON parser, naming the field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.');
  throw invalidArgument(`Invalid JSON payload received.${field ? ` Invalid value at '${field}'.` : ''}`);
}

/** Throws INVALID_TENANT_ID: the project has no tenants in Google's sense. */
export function refuseTenant(tenantId: string | undefined): void {
  if (tenantId) throw new Refused('INVALID_TENANT_ID');
}

/** A profile's text; PostgreSQL keeps every character but NUL. */
export const ProfileText = z
  .string()
  .max(2048)
  .refine((text) => !text.includes('\0'));

/** An address of one user at one host, in plain characters; the host needs a dot. Not a proof that it exists. */
const address = /^[^\s@"(),:;<>[\\\]\p{C}]+@[^\s@"(),:;<>[\\\]\p{C}]+\.[^\s@"(),:;<>[\\\]\p{C}.]+$/u;
const longestAddress = 254;

/** An email address as we keep it, so that one person has one account. Throws INVALID_EMAIL. */
export function parseEmail(text: string): string {
  const email = text === text.trim() ? keptAddress(text) : text;
  if (email.length > longestAddress || !address.test(email)) throw new Refused('INVALID_EMAIL');
  return email;
}

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

/**
 * Returns the origin a request came to. The Host header is the caller's word, so only an allowed one may get into an
 * email.
 */
export function originOf(request: FastifyRequest, isAllowedOrigin: AllowsOrigin): string | undefined {
  const url = URL.parse(`${request.protocol}://${request.host}`);
  return url && isAllowedOrigin(new URL(url.origin)) ? url.origin : undefined;
}

/** Returns the browser's language tag; anything else counts as none. */
export function localeOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-firebase-locale'];
  return typeof header === 'string' && /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(header) ? header : undefined;
}
