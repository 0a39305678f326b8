import type { FastifyRequest } from 'fastify';

/**
 * Whether a request is for a path of `pattern`: as the router understood it, which reads /%61pi as /api, or as it was
 * sent where no route takes it.
 */
export const isFor = (pattern: RegExp, { url, routeOptions }: FastifyRequest): boolean =>
  pattern.test(routeOptions.url ?? '') || pattern.test(url);
