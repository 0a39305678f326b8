import type { FastifyInstance } from 'fastify';

/** Returns every route as "POST /api/clubs/find", from Fastify's printed tree. */
export function servedRoutes(app: FastifyInstance): string[] {
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      path.splice(indent.length / 4, Infinity, part);
      return methods ? methods.split(', ').map((method) => `${method} ${path.join('')}`) : [];
    });
}
