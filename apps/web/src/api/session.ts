import { useSyncExternalStore } from 'react';

/** The page's session. Its identity SDK loads on demand, so that a form can be typed into before. */
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

async function startIdentity(): Promise<typeof import('./firebase.ts')> {
  const module = await import('./firebase.ts');
  await module.observeUser(setSession);
  return module;
}

/** Loads the identity SDK once and finds the signed-in user. */
export function loadIdentity(): Promise<typeof import('./firebase.ts')> {
  sdk ??= startIdentity().catch((error: unknown) => {
    sdk = undefined; // a failed start is tried again with the next press of the button
    throw error;
  });
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

type Sdk = Awaited<ReturnType<typeof loadIdentity>>;

/** Wraps a call of the identity SDK so that it loads the SDK first. */
const ofSdk =
  <Input extends unknown[], Output>(pick: (sdk: Sdk) => (...input: Input) => Promise<Output>) =>
  async (...input: Input): Promise<Output> =>
    pick(await loadIdentity())(...input);

/** Wraps a call that opens a session to return its user's uid. */
const opening =
  <Input extends unknown[]>(pick: (sdk: Sdk) => (...input: Input) => Promise<Person>) =>
  async (...input: Input): Promise<string> => {
    const person = await ofSdk(pick)(...input);
    setSession(person);
    return person.userId;
  };

export const signIn = opening((sdk) => sdk.signIn);
/** Signs in with the server's token. */
export const signInWithToken = opening((sdk) => sdk.signInWithToken);
/** Makes the identity user or resumes a half-finished registration (docs/rules.md#half-finished-registration). */
export const createUser = opening((sdk) => sdk.createUser);

/** Returns the requirements missed, as ends of "Password needs …". */
export const missingInPassword = ofSdk((sdk) => sdk.missingInPassword);
export const sendPasswordReset = ofSdk((sdk) => sdk.sendPasswordReset);
/** The address that a reset link belongs to; throws when the link is used up or too old. */
export const checkResetCode = ofSdk((sdk) => sdk.checkResetCode);
export const setNewPassword = ofSdk((sdk) => sdk.setNewPassword);
export const requestEmailChange = ofSdk((sdk) => sdk.requestEmailChange);
/** Returns a mailed link's purpose; throws when used or expired. */
export const checkActionCode = ofSdk((sdk) => sdk.checkActionCode);
export const applyActionCode = ofSdk((sdk) => sdk.applyActionCode);
export const recoverEmail = ofSdk((sdk) => sdk.recoverEmail);
/** Checks the signed-in user's password again; throws where wrong. */
export const confirmPassword = ofSdk((sdk) => sdk.confirmPassword);
/** Removes a closed account's identity user at an outside provider. */
export const removeUser = ofSdk((sdk) => sdk.removeUser);

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

export const getIdToken = ofSdk((sdk) => sdk.getIdToken);

/** Signs out once the server refuses the token; screens behind sign-in then lead to the login screen. */
export const endExpiredSession = (): Promise<void> => signOut();
