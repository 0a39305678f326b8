/** A call that waits until the person has confirmed who they are. */
export interface ConfirmationRequest {
  settle(isConfirmed: boolean): void;
}

let current: { request: ConfirmationRequest; answer: Promise<boolean> } | undefined;
const listeners = new Set<() => void>();

function change(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks for the passkey or code; other calls that are refused meanwhile share the answer. */
export function askToConfirm(): Promise<boolean> {
  if (current) return current.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isConfirmed: boolean) => {
    change(undefined);
    resolve(isConfirmed);
  };
  change({ request: { settle }, answer: promise });
  return promise;
}

export function subscribeToConfirmations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentConfirmation = (): ConfirmationRequest | undefined => current?.request;
