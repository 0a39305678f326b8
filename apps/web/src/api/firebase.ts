import { initializeApp } from '@firebase/app';
import {
  type Auth,
  applyActionCode as applyCode,
  browserLocalPersistence,
  browserSessionPersistence,
  checkActionCode as checkCode,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  signOut as endSession,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  onIdTokenChanged,
  sendPasswordResetEmail,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  type User,
  validatePassword,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from '@firebase/auth';
import { getStart } from '#tenant/current.ts';
import { identityErrorCode } from './identity-error.ts';
import { keepTokenFresh } from './refresh-timer.ts';

const auth = createAuth();

function createAuth(): Auth {
  const { selfHostedUrl, ...project } = getStart().config.identity;
  // initializeAuth, never getAuth: the latter loads apis.google.com on phones and waits for it.
  const created = initializeAuth(initializeApp(project), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence, browserSessionPersistence],
  });
  if (selfHostedUrl !== null) {
    connectAuthEmulator(created, new URL(selfHostedUrl, location.origin).origin, { disableWarnings: true });
  }
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of the SDK, no hook
  created.useDeviceLanguage();
  const timer = keepTokenFresh();
  onIdTokenChanged(created, (user) => timer.follow(user));
  return created;
}

interface Person {
  userId: string;
  email: string;
}

const personOf = ({ uid, email }: User): Person => ({ userId: uid, email: email ?? '' });

/** Reports every change of user; resolves when sign-in is known. */
export async function observeUser(report: (person: Person | null) => void): Promise<void> {
  onAuthStateChanged(auth, (user) => report(user && personOf(user)));
  await auth.authStateReady();
}

export async function signIn(email: string, password: string): Promise<Person> {
  return personOf((await signInWithEmailAndPassword(auth, email, password)).user);
}

export async function confirmPassword(password: string): Promise<void> {
  await signIn(auth.currentUser?.email ?? '', password);
}

export const removeUser = async (): Promise<void> => auth.currentUser?.delete();

/** Signs in the user the server issued the token for. */
export async function signInWithToken(customToken: string): Promise<Person> {
  return personOf((await signInWithCustomToken(auth, customToken)).user);
}

/** Creates a user, or signs in one left by a half-failed registration with the same password. */
export async function createUser(email: string, password: string): Promise<Person> {
  try {
    return personOf((await createUserWithEmailAndPassword(auth, email, password)).user);
  } catch (error) {
    if (identityErrorCode(error) === 'auth/email-already-in-use') return signIn(email, password);
    throw error;
  }
}

export async function missingInPassword(password: string): Promise<string[]> {
  const status = await validatePassword(auth, password);
  const missing = {
    'more characters': status.meetsMinPasswordLength === false,
    'fewer characters': status.meetsMaxPasswordLength === false,
    'a lower-case letter': status.containsLowercaseLetter === false,
    'an upper-case letter': status.containsUppercaseLetter === false,
    'a number': status.containsNumericCharacter === false,
    'a symbol': status.containsNonAlphanumericCharacter === false,
  };
  return Object.entries(missing).flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

export const sendPasswordReset = (email: string): Promise<void> => sendPasswordResetEmail(auth, email);
export const checkResetCode = (code: string): Promise<string> => verifyPasswordResetCode(auth, code);
export const setNewPassword = (code: string, password: string): Promise<void> =>
  confirmPasswordReset(auth, code, password);

/** Emails the new address a link that completes the change. */
export async function requestEmailChange(newEmail: string): Promise<void> {
  if (!auth.currentUser) throw new Error('Nobody is signed in any more.');
  await verifyBeforeUpdateEmail(auth.currentUser, newEmail);
}

/** The addresses before and after using a code. */
export interface ActionCode {
  email: string;
  previousEmail: string;
}

export async function checkActionCode(code: string): Promise<ActionCode> {
  const { email, previousEmail } = (await checkCode(auth, code)).data;
  return { email: email ?? '', previousEmail: previousEmail ?? '' };
}
export const applyActionCode = (code: string): Promise<void> => applyCode(auth, code);

/** Restores an address. The embedded service also emails a link for a new password; Google does not. */
export async function recoverEmail(code: string, email: string): Promise<void> {
  await applyActionCode(code);
  if (getStart().config.identity.selfHostedUrl === null) await sendPasswordReset(email);
}

export const signOut = (): Promise<void> => endSession(auth);

export async function getIdToken(isFresh: boolean): Promise<string | null> {
  return (await auth.currentUser?.getIdToken(isFresh)) ?? null;
}
