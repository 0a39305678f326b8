import type { FastifyReply } from 'fastify';
import { documentHeaders } from './security-headers.ts';

/** Hosts besides ours: Firebase's and those of tenants' embedded pages. */
export interface AllowedHosts {
  connect: string[];
  frame: string[];
  script: string[];
}

const sources = (...all: string[]) => ["'self'", ...all].join(' ');

/** Returns our pages' Content-Security-Policy; `nonce` marks the one inline style. */
export function pagePolicy({ connect, frame, script }: AllowedHosts, nonce?: string): string {
  return [
    "default-src 'none'",
    `script-src ${sources(...script)}`,
    `style-src ${nonce ? sources(`'nonce-${nonce}'`) : "'self'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
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

/** Makes an answer our page, which only we may frame. */
export const asPage = (reply: FastifyReply, policy: string): FastifyReply =>
  reply.headers({ ...documentHeaders, 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' });

/** Makes an answer a document that any site may frame; it holds nothing of a person and takes no input. */
export function asFramedAnywhere(reply: FastifyReply, policy: string): FastifyReply {
  reply.removeHeader('x-frame-options');
  return reply.headers({ 'content-security-policy': policy, 'cross-origin-resource-policy': 'cross-origin' });
}

/** Logos are shown in emails, too; opened on their own they run and load nothing. */
const pictureHeaders = {
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** Makes an answer a picture of a club or a brand. What scripts of a document may do is no matter of one that runs none. */
export function asPicture(reply: FastifyReply): FastifyReply {
  for (const name of Object.keys(documentHeaders)) reply.removeHeader(name);
  return reply.headers(pictureHeaders);
}

const judgingDocuments = [...Object.keys(documentHeaders), 'content-security-policy', 'x-frame-options'];

/** Makes an answer a script, a style sheet or a font of ours, to which no header about documents applies. */
export function asPartOfPage(reply: FastifyReply): FastifyReply {
  for (const name of judgingDocuments) reply.removeHeader(name);
  return reply.header('cache-control', 'public, max-age=31536000, immutable'); // its name says its content
}
