import type { FastifyRequest } from 'fastify';

/** Returns the token of the Authorization header; the scheme is written in any case (RFC 9110). */
export const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
