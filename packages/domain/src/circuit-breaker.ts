/** A provider that is not called until `openUntil`; calls afterwards test whether it answers again. */
export interface LeftAlone {
  openUntil: Date;
}

/** `open` stops calls; `half_open` lets a few calls test whether the provider has recovered. */
export type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * Returns a breaker's state: once calls fail it is open for a pause of its plan, then half open until an answer closes
 * it, or a failure opens it for the next pause.
 */
export function breakerState(leftAlone: LeftAlone | undefined, now: Date): BreakerState {
  if (!leftAlone) return 'closed';
  return leftAlone.openUntil > now ? 'open' : 'half_open';
}

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

/** Consecutive unanswered calls after which a provider counts as unavailable, where each call is about somebody else. */
export const consecutiveRule = {
  unanswered: 20,
  /** Weight of a call refused because the provider is busy, in unanswered calls: three in a row suffice. */
  busyWeighs: 7,
  /** Consecutive unanswered calls of a half-open breaker, for anybody, after which calls stop again. */
  probes: 3,
} as const;

export interface FailedCall {
  isBusy: boolean;
  /** Somebody whose calls failed before proves nothing about others. */
  hasFailedBefore: boolean;
}

/** Counts unanswered calls until one is answered. */
export function consecutiveFailures() {
  let unanswered = 0;
  let probes = 0;
  return {
    reset() {
      unanswered = 0;
      probes = 0;
    },
    /** Counts a call without an answer; returns true once the provider counts as unavailable. */
    isUnavailableAfter(state: BreakerState, { isBusy, hasFailedBefore }: FailedCall): boolean {
      if (state === 'half_open') probes += 1;
      if (hasFailedBefore && probes < consecutiveRule.probes) return false;
      unanswered += isBusy ? consecutiveRule.busyWeighs : 1;
      return state !== 'closed' || unanswered >= consecutiveRule.unanswered;
    },
  };
}
