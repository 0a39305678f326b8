/** Opens when `inconclusive` of the last `ofLast` calls had no usable answer, or each of the first `atFirst` calls. */
export const breakerRule = { ofLast: 10, inconclusive: 8, atFirst: 5 } as const;

export interface CircuitBreaker {
  record(isInconclusive: boolean): void;
  /** Stays true once reached, to spare a provider that fails. */
  readonly isOpen: boolean;
  /** The calls it looked at last, for a message. */
  readonly inconclusive: number;
  readonly ofLast: number;
}

/** Opens when most of the last calls were inconclusive, or all of the first: that is the provider's fault, no payment's. */
export function circuitBreaker(): CircuitBreaker {
  const recent: boolean[] = [];
  let calls = 0;
  let isOpen = false;
  const inconclusive = () => recent.filter(Boolean).length;
  return {
    record(isInconclusive) {
      if (isOpen) return;
      calls += 1;
      recent.push(isInconclusive);
      if (recent.length > breakerRule.ofLast) recent.shift();
      const isDownFromTheStart = calls === breakerRule.atFirst && inconclusive() === breakerRule.atFirst;
      isOpen = isDownFromTheStart || inconclusive() >= breakerRule.inconclusive;
    },
    get isOpen() {
      return isOpen;
    },
    get inconclusive() {
      return inconclusive();
    },
    get ofLast() {
      return recent.length;
    },
  };
}
