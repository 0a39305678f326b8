import { useSyncExternalStore } from 'react';
import type { ActionCode } from './firebase.ts';

/** The session of the page. The identity SDK behind it loads on demand, so that a form can be typed into before. */
export type Session =
  | { state: 'starting' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; userId: string; email: string };

let session: Session = { state: 'starting' };
let sdk: Promise<typeof import('./firebase.ts')> | undefined;
const listeners = new Set<() => void>();

interface Person {
  userId: string;
  email: string;
}

function setSession(person: Person | null): void {
  if (session.state === 'signed-in' && session.userId === person?.userId && session.email === person.email) return;
  session = person === null ? { state: 'signed-out' } : { state: 'signed-in', ...person };
  for (const listener of listeners) listener();
}

/** Loads the identity SDK once and finds the signed-in user. */
export function loadIdentity(): Promise<typeof import('./firebase.ts')> {
  sdk ??= import('./firebase.ts').then(
    async (module) => {
      await module.observeUser(setSession);
      return module;
    },
    (error: unknown) => {
      sdk = undefined; // a failed load is tried again with the next press of the button
      throw error;
    },
  );
  return sdk;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  loadIdentity().catch((error: unknown) => console.error(error));
  return () => listeners.delete(listener);
}

/** The uid of the present session. */
export const currentUserId = (): string | undefined => (session.state === 'signed-in' ? session.userId : undefined);

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session);

/** Answers with the uid. */
export async function signIn(email: string, password: string): Promise<string> {
  const person = await (await loadIdentity()).signIn(email, password);
  setSession(person);
  return person.userId;
}

/** Signs in with the server's token and returns its uid. */
export async function signInWithToken(customToken: string): Promise<string> {
  const person = await (await loadIdentity()).signInWithToken(customToken);
  setSession(person);
  return person.userId;
}

/** Makes the identity user or resumes a half-finished registration (docs/rules.md#half-finished-registration). */
export async function createUser(email: string, password: string): Promise<string> {
  const person = await (await loadIdentity()).createUser(email, password);
  setSession(person);
  return person.userId;
}

/** Returns the requirements missed, as ends of "Password needs …". */
export const missingInPassword = async (password: string): Promise<string[]> =>
  (await loadIdentity()).missingInPassword(password);

export const sendPasswordReset = async (email: string): Promise<void> =>
  (await loadIdentity()).sendPasswordReset(email);

/** The address that a reset link belongs to; throws when the link is used up or too old. */
export const checkResetCode = async (code: string): Promise<string> => (await loadIdentity()).checkResetCode(code);

export const setNewPassword = async (code: string, password: string): Promise<void> =>
  (await loadIdentity()).setNewPassword(code, password);

export const requestEmailChange = async (newEmail: string): Promise<void> =>
  (await loadIdentity()).requestEmailChange(newEmail);

/** Returns a mailed link's purpose; throws when used or expired. */
export const checkActionCode = async (code: string): Promise<ActionCode> =>
  (await loadIdentity()).checkActionCode(code);

export const applyActionCode = async (code: string): Promise<void> => (await loadIdentity()).applyActionCode(code);

export const recoverEmail = async (code: string, email: string): Promise<void> =>
  (await loadIdentity()).recoverEmail(code, email);

/** Checks the signed-in user's password again; throws where wrong. */
export const confirmPassword = async (password: string): Promise<void> =>
  (await loadIdentity()).confirmPassword(password);

/** Removes a closed account's identity user at an outside provider. */
export const removeUser = async (): Promise<void> => (await loadIdentity()).removeUser();

/** Returns the signed-in user's address, once it is known. */
export async function signedInEmail(): Promise<string | undefined> {
  await loadIdentity();
  return session.state === 'signed-in' ? session.email : undefined;
}

/** Returns the signed-in user's uid, once it is known. */
export async function signedInUserId(): Promise<string | undefined> {
  await loadIdentity();
  return session.state === 'signed-in' ? session.userId : undefined;
}

export async function signOut(): Promise<void> {
  await (await loadIdentity()).signOut();
  setSession(null);
}

export const getIdToken = async (isFresh: boolean): Promise<string | null> =>
  (await loadIdentity()).getIdToken(isFresh);

/** The server no longer takes the token: the screens behind sign-in see that nobody is there and lead to it. */
export const endExpiredSession = (): Promise<void> => signOut();
