import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from './input.ts';
import { Refused } from './refusal.ts';
import type { IdentityService } from './service.ts';
import { expiresIn, refreshSession } from './session.ts';

/** Google's JSON takes both spellings of its fields. */
const Refresh = z
  .object({
    grant_type: z.string().optional(),
    grantType: z.string().optional(),
    refresh_token: z.string().optional(),
    refreshToken: z.string().optional(),
  })
  .transform((input) => ({
    grant_type: input.grant_type ?? input.grantType ?? '',
    refresh_token: input.refresh_token ?? input.refreshToken ?? '',
  }));

/** Serves getIdToken for an expiring token or a forced refresh. */
export function tokenRoutes(scope: FastifyInstance, { db, issuer }: IdentityService): void {
  scope.post('/v1/token', async (request) => {
    const input = parseInput(Refresh, request.body);
    if (input.grant_type === '') throw new Refused('MISSING_GRANT_TYPE');
    if (input.grant_type !== 'refresh_token') throw new Refused('INVALID_GRANT_TYPE');
    if (input.refresh_token === '') throw new Refused('MISSING_REFRESH_TOKEN');
    const { idToken, uid } = await refreshSession(db, issuer, input.refresh_token);
    return {
      access_token: idToken,
      id_token: idToken,
      expires_in: expiresIn,
      refresh_token: input.refresh_token,
      token_type: 'Bearer',
      user_id: uid,
      project_id: issuer.projectId,
    };
  });
}
