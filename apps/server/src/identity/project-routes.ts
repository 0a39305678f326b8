import type { FastifyInstance } from 'fastify';
import { presentPolicy } from './password-policy.ts';
import type { IdentityService } from './service.ts';

/** Answers questions of browsers about the project. */
export function projectRoutes(scope: FastifyInstance, { policy }: IdentityService): void {
  scope.get('/v2/passwordPolicy', async () => presentPolicy(policy));

  scope.get('/v2/recaptchaConfig', async () => ({
    recaptchaKey: '',
    recaptchaEnforcementState: [{ provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'OFF' }],
  }));
}
