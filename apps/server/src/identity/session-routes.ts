import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { checkCustomToken } from './custom-token.ts';
import { ProfileText, parseEmail, parseInput, refuseTenant } from './input.ts';
import { giveBackAttempt, signInLimits, signUpLimits, takeAttempt, takenAddressLimits } from './limits.ts';
import { isKnownNetwork, rememberNetwork } from './network.ts';
import { isPassword, refuseWeakPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import type { IdentityService } from './service.ts';
import { expiresIn, isStillSignedIn, openSession, refreshSession } from './session.ts';
import { spendToken } from './session-repository.ts';
import { findUser, findUserByEmail, recordLogin, type User } from './user-repository.ts';
import { addUser } from './users.ts';

const SignUp = z.object({
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: ProfileText.optional(),
  localId: z.unknown().optional(),
  idToken: z.unknown().optional(),
  targetProjectId: z.unknown().optional(),
  tenantId: z.string().optional(),
});

/** createUserWithEmailAndPassword. */
export function signUpRoutes(scope: FastifyInstance, { db, issuer, policy, limits }: IdentityService): void {
  scope.post('/v1/accounts::signUp', async (request) => {
    const input = parseInput(SignUp, request.body);
    if (input.localId !== undefined) throw new Refused('UNEXPECTED_PARAMETER : User ID');
    if (input.targetProjectId !== undefined) throw new Refused('INSUFFICIENT_PERMISSION');
    refuseTenant(input.tenantId);
    if (input.idToken !== undefined) throw new Refused('OPERATION_NOT_ALLOWED');
    if (input.email === undefined && input.password === undefined) throw new Refused('ADMIN_ONLY_OPERATION');
    if (input.email === '' && input.password === '') throw new Refused('INVALID_EMAIL'); // as Google does since 2023
    if (!input.email) throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    if (!input.password) throw new Refused('MISSING_PASSWORD');
    refuseWeakPassword(policy, input.password);
    const taken = takenAddressLimits(limits, request.ip);
    await takeAttempt(db, [...signUpLimits(limits, request.ip), ...taken]);
    const added = await addUser(db, { email, password: input.password, displayName: input.displayName });
    const user = await findUserByEmail(db, email);
    if (added === 'email exists' || !user) throw new Refused('EMAIL_EXISTS');
    await giveBackAttempt(db, taken);
    await rememberNetwork(db, user.uid, request.ip);
    const tokens = await openSession(db, issuer, user, { provider: 'password' });
    return {
      kind: 'identitytoolkit#SignupNewUserResponse',
      localId: user.uid,
      email: user.email,
      ...(user.displayName ? { displayName: user.displayName } : {}),
      ...tokens,
    };
  });
}

const SignIn = z.object({
  email: z.string().optional(),
  password: z.string().default(''),
  tenantId: z.string().optional(),
});

/** signInWithEmailAndPassword and reauthenticateWithCredential. */
export function signInRoutes(scope: FastifyInstance, { db, issuer, limits }: IdentityService): void {
  scope.post('/v1/accounts::signInWithPassword', async (request) => {
    const input = parseInput(SignIn, request.body);
    refuseTenant(input.tenantId);
    if (input.email === undefined) throw new Refused('MISSING_EMAIL');
    const email = parseEmail(input.email);
    if (input.password === '') throw new Refused('MISSING_PASSWORD');
    const user = await findUserByEmail(db, email);
    const isKnown = await isKnownNetwork(db, user?.uid ?? '', request.ip);
    const counted = signInLimits(limits, request.ip, email, isKnown);
    await takeAttempt(db, counted);
    const isRight = await isPassword(user?.passwordHash, input.password);
    if (!user || !isRight) throw new Refused('INVALID_LOGIN_CREDENTIALS');
    await giveBackAttempt(db, counted);
    if (user.disabled) throw new Refused('USER_DISABLED'); // after the password: only the owner learns it
    const tokens = await openSession(db, issuer, user, { provider: 'password' });
    await recordLogin(db, user.uid);
    await rememberNetwork(db, user.uid, request.ip);
    return {
      kind: 'identitytoolkit#VerifyPasswordResponse',
      registered: true,
      localId: user.uid,
      email: user.email,
      displayName: user.displayName ?? '',
      ...tokens,
    };
  });
}

const CustomSignIn = z.object({ token: z.string().default('') });

/** signInWithCustomToken, for hand-offs we minted. Unlike Google's it makes no users, and a token is good once. */
export function customSignInRoutes(scope: FastifyInstance, { db, issuer }: IdentityService): void {
  scope.post('/v1/accounts::signInWithCustomToken', async (request) => {
    const { token } = parseInput(CustomSignIn, request.body);
    if (token === '') throw new Refused('MISSING_CUSTOM_TOKEN');
    const claims = await checkCustomToken(issuer, token);
    if (claims.host !== undefined && claims.host !== request.host) throw new Refused('INVALID_CUSTOM_TOKEN');
    if ((await spendToken(db, claims.jti, claims.exp)) === 'spent before') throw new Refused('INVALID_CUSTOM_TOKEN');
    const user = await findUser(db, claims.uid);
    if (!user) throw new Refused('INVALID_CUSTOM_TOKEN');
    if (user.disabled) throw new Refused('USER_DISABLED');
    const asker = { uid: user.uid, tokenIssuedAt: claims.since ?? claims.iat, sessionId: claims.sid };
    if (!(await isStillSignedIn(db, asker))) throw new Refused('INVALID_CUSTOM_TOKEN');
    const tokens = await openSession(db, issuer, user, { provider: 'custom', authTime: claims.auth_time });
    await recordLogin(db, user.uid);
    return { kind: 'identitytoolkit#VerifyCustomTokenResponse', isNewUser: false, ...tokens };
  });
}

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
    const { user } = await service.authenticate(idToken);
    return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [presentUser(user)] };
  });
}
