import type { FastifyRequest } from 'fastify';

/**
 * Returns whether a request matches a path: as the router understood it (/%61pi is /api), or as sent where no route
 * takes it.
 */
export const isFor = (pattern: RegExp, { url, routeOptions }: FastifyRequest): boolean =>
  pattern.test(routeOptions.url ?? '') || pattern.test(url);
