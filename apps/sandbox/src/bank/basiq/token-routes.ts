import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '#world/world.ts';
import { BasiqProblem, parameterNotSupplied, parameterNotValid } from './problem.ts';
import { mintToken, tokenLifeSeconds } from './tokens.ts';
import { getUser } from './users.ts';

const Body = z.object({ scope: z.string().optional(), userId: z.string().optional() });

export function tokenRoutes(app: FastifyInstance, world: World, apiKey: string): void {
  app.post('/token', async (request) => {
    const version = request.headers['basiq-version'];
    if (version === undefined) throw parameterNotSupplied('basiq-version header is required.', 'basiq-version');
    if (version !== '3.0') throw parameterNotValid('Unsupported basiq-version.', 'basiq-version');
    const authorization = request.headers.authorization;
    if (authorization === undefined || !authorization.startsWith('Basic ')) {
      throw parameterNotValid('Authorization header is missing or invalid.', 'Authorization');
    }
    // The key is compared as it stands: it is base64 already, and encoding it again is a common mistake.
    if (authorization !== `Basic ${apiKey}`) {
      throw new BasiqProblem(
        404,
        'resource-not-found',
        'Resource not found.',
        'Unable to authenticate. Please, check your API key',
      );
    }
    const { scope, userId } = Body.parse(request.body ?? {});
    if (scope !== 'SERVER_ACCESS' && scope !== 'CLIENT_ACCESS')
      throw parameterNotValid('Scope value is not valid.', 'scope');
    if (scope === 'CLIENT_ACCESS' && userId !== undefined) getUser(world.db, userId);
    return {
      access_token: mintToken(world.db, { scope, userId }, world.clock.now()),
      expires_in: tokenLifeSeconds,
      token_type: 'Bearer',
    };
  });
}
