import type { FastifyReply } from 'fastify';
import { documentHeaders } from './security-headers.ts';

/** Hosts that pages need besides our own: a Firebase project's, and those of tenants' embedded pages. */
export interface AllowedHosts {
  connect: string[];
  frame: string[];
  script: string[];
}

const sources = (...all: string[]) => ["'self'", ...all].join(' ');

/** The Content-Security-Policy of our pages; `nonce` marks the one style that is written into the page. */
export function pagePolicy({ connect, frame, script }: AllowedHosts, nonce?: string): string {
  return [
    "default-src 'none'",
    `script-src ${sources(...script)}`,
    `style-src ${nonce ? sources(`'nonce-${nonce}'`) : "'self'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${sources(...connect)}`,
    `frame-src ${sources(...frame)}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    // Google's tag manager, which only a project with analytics needs, writes scripts from strings.
    ...(script.length === 0 ? ["require-trusted-types-for 'script'"] : []),
  ].join('; ');
}

/** Lets an answer be a document of ours, also in a frame of ours. */
export const asPage = (reply: FastifyReply, policy: string): FastifyReply =>
  reply.headers({ ...documentHeaders, 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' });
