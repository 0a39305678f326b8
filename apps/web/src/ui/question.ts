/** A question that calls wait for until the person has answered it. */
export interface Question {
  /** Repeats the calls, or gives them up. */
  settle(isConfirmed: boolean): void;
}

/** Makes a question that is shown once at a time: further callers share the answer. */
export function makeQuestion() {
  let current: { question: Question; answer: Promise<boolean> } | undefined;
  const listeners = new Set<() => void>();
  const change = (next: typeof current) => {
    current = next;
    for (const listener of listeners) listener();
  };
  return {
    ask: (): Promise<boolean> => {
      if (current) return current.answer;
      let resolve: (isConfirmed: boolean) => void = () => undefined;
      const promise = new Promise<boolean>((settled) => {
        resolve = settled; // Promise.withResolvers is younger than iOS 16
      });
      const settle = (isConfirmed: boolean) => {
        change(undefined);
        resolve(isConfirmed);
      };
      change({ question: { settle }, answer: promise });
      return promise;
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): Question | undefined => current?.question,
  };
}
