import { ApiError } from './api-error.ts';
import { identityErrorCode } from './identity-error.ts';

/** A call that waits for the password. */
export interface PasswordRequest {
  /** Sends the call again, or gives it up. */
  settle(isConfirmed: boolean): void;
}

let current: { request: PasswordRequest; answer: Promise<boolean> } | undefined;
const listeners = new Set<() => void>();

function change(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks for the password; other refused calls share its answer. */
export function askForPassword(): Promise<boolean> {
  if (current) return current.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isConfirmed: boolean) => {
    change(undefined);
    resolve(isConfirmed);
  };
  change({ request: { settle }, answer: promise });
  return promise;
}

export function subscribeToPasswordRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentPasswordRequest = (): PasswordRequest | undefined => current?.request;

/** Returns true where the person declined to give the password. */
export const isGivenUp = (error: unknown): boolean =>
  (error instanceof ApiError && error.code === 'requires-recent-login') ||
  identityErrorCode(error) === 'auth/requires-recent-login';
