import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { followAddress, followPasswordChange } from './follow-changes.ts';
import { localeOf, originOf, ProfileText, parseEmail, parseInput } from './input.ts';
import { changeLimits, takeAttempt } from './limits.ts';
import { applyOobCode } from './oob-codes.ts';
import type { OobMails } from './oob-mails.ts';
import { hashPassword, refuseWeakPassword } from './passwords.ts';
import { Refused } from './refusal.ts';
import type { AuthenticatedUser, IdentityDeps, IdentityService } from './service.ts';
import { openSession, refuseOldSignIn } from './session.ts';
import { changePassword, changeProfile, endSessionsOf, findUser, type User } from './user-repository.ts';
import { removeUserInside } from './users.ts';

const Update = z.looseObject({
  idToken: z.string().optional(),
  oobCode: z.string().optional(),
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: ProfileText.nullish(),
  photoUrl: ProfileText.nullish(),
  deleteAttribute: z.array(z.string()).default([]),
  deleteProvider: z.array(z.string()).default([]),
  validSince: z.union([z.string().regex(/^\d{1,18}$/), z.int().min(0)]).optional(),
  returnSecureToken: z.boolean().default(false),
});
type Update = z.infer<typeof Update>;

/** User fields that only the project's owner may change. */
const privileged = [
  ...['localId', 'customAttributes', 'disableUser', 'emailVerified', 'createdAt', 'lastLoginAt'],
  ...['phoneNumber', 'mfa', 'linkProviderUserInfo'],
];

/** Fields of a profile that may be cleared. */
const profileAttributes = new Set(['DISPLAY_NAME', 'PHOTO_URL']);

const Delete = z.object({ idToken: z.string().optional() });

/** A profile member after the update: cleared by name or by null, set, or as it was. */
const changed = (isDeleted: boolean, given: string | null | undefined, before: string | null): string | null =>
  isDeleted ? null : given === undefined ? before : given;

/** applyActionCode, updatePassword, updateProfile and deleteUser. */
export function changeAccountRoutes(
  scope: FastifyInstance,
  service: IdentityService,
  { isAllowedOrigin }: Pick<IdentityDeps, 'isAllowedOrigin'>,
  mails: OobMails,
): void {
  const { db, issuer, policy, limits } = service;

  /** The user as they are after the change; a session opened on it is the only one there is. */
  const setPassword = async (caller: AuthenticatedUser, password: string): Promise<User> => {
    refuseOldSignIn(caller);
    refuseWeakPassword(policy, password);
    await takeAttempt(db, changeLimits(limits, caller.user.uid));
    const validSince = await changePassword(db, caller.user, await hashPassword(password));
    if (validSince === undefined) throw new Refused('TOKEN_EXPIRED');
    return { ...caller.user, validSince };
  };
  /** Ends every earlier session, regardless of the moment requested. */
  const endSessions = async (user: User): Promise<User> => {
    await endSessionsOf(db, user.uid);
    return (await findUser(db, user.uid)) ?? user;
  };
  const setProfile = async (user: User, input: Update): Promise<User> => {
    const isDeleted = (name: string) => input.deleteAttribute.includes(name);
    const profile = {
      displayName: changed(isDeleted('DISPLAY_NAME'), input.displayName, user.displayName),
      photoUrl: changed(isDeleted('PHOTO_URL'), input.photoUrl, user.photoUrl),
    };
    await changeProfile(db, user.uid, profile);
    return { ...user, ...profile };
  };

  const applyCode = async (request: FastifyRequest, oobCode: string) => {
    const asked = { locale: localeOf(request), origin: originOf(request, isAllowedOrigin) };
    const { requestType, uid, email } = await applyOobCode(service, oobCode, asked);
    await followAddress(service, uid).catch((err) =>
      request.log.error({ err }, 'a new address was not passed on to the product'),
    );
    await service.afterAddressProven(email).catch((err) => request.log.error({ err }, 'a proven address was not kept'));
    mails.wake();
    return {
      kind: 'identitytoolkit#SetAccountInfoResponse',
      localId: uid,
      email,
      ...(requestType === 'verify_and_change_email' ? { newEmail: email } : {}),
      emailVerified: true,
    };
  };

  scope.post('/v1/accounts::update', async (request) => {
    const input = parseInput(Update, request.body);
    if (privileged.some((name) => name in input)) throw new Refused('INSUFFICIENT_PERMISSION');
    if (input.oobCode !== undefined) return applyCode(request, input.oobCode);
    if (input.deleteProvider.length > 0 || input.deleteAttribute.some((name) => !profileAttributes.has(name))) {
      throw new Refused('OPERATION_NOT_ALLOWED'); // a user without a password could never sign in again
    }
    const caller = await service.authenticate(input.idToken);
    const { uid, email } = caller.user;
    if (input.email !== undefined && parseEmail(input.email) !== email) {
      throw new Refused('OPERATION_NOT_ALLOWED : Please verify the new email before changing email.');
    }
    const isNewSignIn = input.password !== undefined;
    const owner = input.password === undefined ? caller.user : await setPassword(caller, input.password);
    if (isNewSignIn)
      await followPasswordChange(service, uid).catch((err) =>
        request.log.error({ err }, 'no mail about a new password'),
      );
    const changed = await setProfile(owner, input);
    const user = input.validSince === undefined ? changed : await endSessions(changed);
    const signIn = { provider: 'password', authTime: isNewSignIn ? undefined : caller.authTime } as const;
    return {
      kind: 'identitytoolkit#SetAccountInfoResponse',
      localId: uid,
      email,
      emailVerified: user.emailVerified,
      ...(user.displayName ? { displayName: user.displayName } : {}),
      ...(user.photoUrl ? { photoUrl: user.photoUrl } : {}),
      providerUserInfo: [{ providerId: 'password', email, federatedId: email, rawId: email }],
      ...(input.returnSecureToken ? await openSession(db, issuer, user, signIn) : {}),
    };
  });

  scope.post('/v1/accounts::delete', async (request) => {
    const { idToken } = parseInput(Delete, request.body);
    const caller = await service.authenticate(idToken);
    refuseOldSignIn(caller);
    const { uid } = caller.user;
    await service.beforeRemove(uid);
    await db.begin((tx) => removeUserInside(tx, uid));
    void service.afterRemove(uid).catch((err) => request.log.error({ err }, 'a removed user left work behind'));
    return { kind: 'identitytoolkit#DeleteAccountResponse' };
  });
}
