import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from './input.ts';
import { presentPolicy } from './passwords.ts';
import { Refused } from './refusal.ts';
import { makeSecret } from './secret.ts';
import type { IdentityService } from './service.ts';

/** Answers questions of browsers about the project. */
export function projectRoutes(scope: FastifyInstance, { policy }: IdentityService): void {
  scope.get('/v2/passwordPolicy', async () => presentPolicy(policy));

  scope.get('/v2/recaptchaConfig', async () => ({
    recaptchaKey: '',
    recaptchaEnforcementState: [{ provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'OFF' }],
  }));
}

const CreateAuthUri = z.object({ identifier: z.string().default(''), continueUri: z.string().max(2048).default('') });

const looksLikeAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Serves fetchSignInMethodsForEmail; enumeration protection makes all answers alike. */
export function authUriRoutes(scope: FastifyInstance): void {
  scope.post('/v1/accounts::createAuthUri', async (request) => {
    const { identifier, continueUri } = parseInput(CreateAuthUri, request.body);
    if (continueUri === '') throw new Refused('MISSING_CONTINUE_URI');
    if (!/^https?:$/.test(URL.parse(continueUri)?.protocol ?? '')) throw new Refused('INVALID_CONTINUE_URI');
    if (identifier === '') throw new Refused('MISSING_IDENTIFIER');
    if (!looksLikeAddress(identifier)) throw new Refused('INVALID_IDENTIFIER');
    return { kind: 'identitytoolkit#CreateAuthUriResponse', sessionId: makeSecret(20) };
  });
}
