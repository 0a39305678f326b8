interface Token {
  text: string;
  /** Renewed from here on, half way through its life. */
  renewAt: number;
}

export interface ServerToken {
  get(): Promise<string>;
  /** Drops a refused token, unless another caller replaced it already. */
  discard(text: string): void;
}

/** The one token that opens the API, shared by all calls of this process; callers that need a new one wait for the same. */
export function serverToken(mint: () => Promise<{ text: string; lifeMs: number }>, now: () => Date): ServerToken {
  let current: Token | undefined;
  let coming: Promise<Token> | undefined;

  const renew = async (): Promise<Token> => {
    const { text, lifeMs } = await mint();
    current = { text, renewAt: now().getTime() + lifeMs / 2 };
    return current;
  };

  return {
    async get() {
      if (current && now().getTime() < current.renewAt) return current.text;
      coming ??= renew().finally(() => {
        coming = undefined;
      });
      return (await coming).text;
    },
    discard(text) {
      if (current?.text === text) current = undefined;
    },
  };
}
