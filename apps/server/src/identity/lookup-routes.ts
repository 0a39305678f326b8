import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from './input.ts';
import type { IdentityService } from './service.ts';
import type { User } from './user-repository.ts';

const Lookup = z.object({ idToken: z.string().optional() });

/** Presents a user to the SDK, without the password's hash. */
function presentUser(user: User) {
  const { email } = user;
  const profile = {
    ...(user.displayName ? { displayName: user.displayName } : {}),
    ...(user.photoUrl ? { photoUrl: user.photoUrl } : {}),
  };
  return {
    localId: user.uid,
    email,
    emailVerified: user.emailVerified,
    ...profile,
    createdAt: String(user.createdAt.getTime()),
    lastLoginAt: String(user.lastLoginAt.getTime()),
    validSince: String(user.validSince),
    passwordUpdatedAt: user.passwordUpdatedAt.getTime(),
    providerUserInfo: [{ providerId: 'password', email, federatedId: email, rawId: email, ...profile }],
  };
}

/** Serves the start of a stored user's session, and reload(). */
export function lookupRoutes(scope: FastifyInstance, service: IdentityService): void {
  scope.post('/v1/accounts::lookup', async (request) => {
    const { idToken } = parseInput(Lookup, request.body);
    const { user } = await service.signedIn(idToken);
    return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [presentUser(user)] };
  });
}
