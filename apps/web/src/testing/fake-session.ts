import { useSyncExternalStore } from 'react';
import { vi } from 'vitest';
import type { ActionCode } from '#api/firebase.ts';
import type { Session } from '#api/session.ts';

/** An identity provider in memory, in place of src/api/session.ts. */
let session: Session = { state: 'signed-out' };
const passwords = new Map<string, string>();
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export const uid = 'uid-anna';
export const email = 'anna@example.org';
const anna: Session = { state: 'signed-in', userId: uid, email };
export const signedOut = (): void => {
  passwords.clear();
  session = { state: 'signed-out' };
};
export const signedIn = (): void => {
  session = anna;
};
export const knownUser = (email: string, password: string): void => void passwords.set(email, password);

export const useSession = (): Session =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );

export const currentUserId = (): string | undefined => (session.state === 'signed-in' ? session.userId : undefined);

export const loadIdentity = async (): Promise<void> => undefined;

export const signIn = vi.fn(async (email: string, password: string): Promise<string> => {
  if (passwords.get(email) !== password) throw new Error('auth/invalid-credential');
  become(anna);
  return uid;
});

export const signInWithToken = vi.fn(async (customToken: string): Promise<string> => {
  if (customToken !== 'token for anna') throw new Error('auth/invalid-custom-token');
  become(anna);
  return uid;
});

export const createUser = vi.fn(async (email: string, password: string): Promise<string> => {
  if (passwords.has(email)) return signIn(email, password);
  passwords.set(email, password);
  become(anna);
  return uid;
});

export const missingInPassword = async (password: string): Promise<string[]> =>
  password.includes('policy') ? ['a number'] : [];

export const confirmPassword = vi.fn(async (password: string): Promise<void> => {
  if (![...passwords.values()].includes(password)) throw new Error('auth/invalid-credential');
});

export const sendPasswordReset = vi.fn(async (email: string): Promise<void> => {
  if (email === 'broken@example.org') throw new Error('auth/network-request-failed');
});
export const checkResetCode = vi.fn(async (code: string): Promise<string> => {
  if (code !== 'good-code') throw identityFailure('auth/invalid-action-code');
  return 'anna@example.org';
});
export const setNewPassword = vi.fn(async (): Promise<void> => undefined);

export const requestEmailChange = vi.fn(async (_newEmail: string): Promise<void> => undefined);
export const checkActionCode = vi.fn(async (_code: string): Promise<ActionCode> => {
  return { email: 'new@example.org', previousEmail: email };
});
export const applyActionCode = vi.fn(async (_code: string): Promise<void> => undefined);
export const recoverEmail = vi.fn(async (_code: string, _email: string): Promise<void> => undefined);
/** Fails as the identity SDK does. */
export const identityFailure = (code: string) => Object.assign(new Error(code), { code });

export const signedInEmail = async (): Promise<string | undefined> =>
  session.state === 'signed-in' ? session.email : undefined;

export const signedInUserId = async (): Promise<string | undefined> =>
  session.state === 'signed-in' ? session.userId : undefined;

export const signOut = vi.fn(async (): Promise<void> => become({ state: 'signed-out' }));
export const getIdToken = vi.fn(async (_isFresh: boolean): Promise<string> => 'token-of-anna');
export const endExpiredSession = (): Promise<void> => signOut();
