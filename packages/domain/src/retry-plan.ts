const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Pauses between tries, in milliseconds. */
export interface Pauses {
  firstMs: number;
  /** Each pause is this many times the one before it. */
  factor: number;
  longestMs: number;
  /** Failed tries that no pause follows. */
  triesWithoutPause?: number;
  /** Grows pauses with the time since the first failure instead of the number of tries: people can also ask for tries. */
  growsWithAge?: true;
}

/** Pauses, and when tries end: after `maxTries`, or once both `givenUpAfterMs` and `minTries` are reached. */
export interface RetryPlan extends Pauses {
  maxTries?: number;
  givenUpAfterMs?: number;
  /** The product itself may have been stopped for all of `givenUpAfterMs`. */
  minTries?: number;
  /** Shortens the last pause to make a try when `givenUpAfterMs` ends. */
  endsWithTry?: true;
}

const every = (pauseMs: number): Pauses => ({ firstMs: pauseMs, factor: 1, longestMs: pauseMs });

/** Plans of everything that is tried again, explained in docs/architecture.md#where-retries-are-decided. */
export const retryPlans = {
  /** A call to a provider waits for a random part of each pause. */
  call: { firstMs: 300, factor: 2, longestMs: 5 * second, maxTries: 4, givenUpAfterMs: 30 * second },
  /** The provider forgets a payment's idempotency key after the time when it is parked. */
  payment: { firstMs: minute, factor: 2, longestMs: hour, triesWithoutPause: 1, givenUpAfterMs: day, minTries: 5 },
  unsentPayment: every(minute),
  heldPayment: every(hour),
  supporterWork: { firstMs: minute, factor: 2, longestMs: hour, givenUpAfterMs: day, minTries: 5 },
  /** A try at the very end of the week is not the last. */
  mail: {
    ...{ firstMs: minute, factor: 2, longestMs: hour, growsWithAge: true },
    ...{ givenUpAfterMs: 7 * day + 1, minTries: 5 },
  },
  /** A mail that does not apply yet. */
  waitingMail: every(hour),
  /** A person whose mail with a code does not come asks again. */
  codeMail: { firstMs: 30 * second, factor: 2, longestMs: hour, maxTries: 6 },
  delivery: {
    ...{ firstMs: minute, factor: 2, longestMs: 8 * hour, growsWithAge: true },
    ...{ givenUpAfterMs: 3 * day, endsWithTry: true },
  },
  /** Outcomes of payments and mandates are polled besides. */
  paymentNotifications: { ...every(minute), givenUpAfterMs: hour },
  bankNotifications: { ...every(minute), givenUpAfterMs: day },
  /** The queue draws each pause of a job between half and all of these. */
  job: { firstMs: 5 * second, factor: 2, longestMs: 2 ** 9 * 5 * second, maxTries: 11 },
  /** A provider that answers nobody. */
  provider: { firstMs: 30 * second, factor: 2, longestMs: 10 * minute },
  mailServer: every(minute),
} as const satisfies Record<string, RetryPlan>;

/** Tries that failed since the last success, or in all. */
export interface FailedTries {
  tries: number;
  failingSince: Date | null;
}

export interface NextTry {
  tries: number;
  failingSince: Date;
  nextTryAt: Date;
  /** Set where no more tries follow until a person, or a pass, asks for one. */
  parkedAt: Date | null;
}

/** Returns the milliseconds until the next try after this many that failed. */
export function pauseAfter({ firstMs, factor, longestMs, triesWithoutPause = 0 }: Pauses, tries: number): number {
  return tries <= triesWithoutPause ? 0 : Math.min(firstMs * factor ** (tries - triesWithoutPause - 1), longestMs);
}

/** Lists the pauses in milliseconds up to the longest, which is the pause of all later tries, too. */
export function pausesOf(pauses: Pauses): number[] {
  const list: number[] = [];
  while ((list.at(-1) ?? -1) < pauses.longestMs) list.push(pauseAfter(pauses, list.length + 1));
  return list;
}

/** Returns the milliseconds until the next try of what has failed for some time: its age times `factor` less one. */
const pauseAtAge = ({ firstMs, factor, longestMs }: Pauses, ageMs: number): number =>
  Math.min(Math.max(ageMs * (factor - 1), firstMs), longestMs);

/** Counts one more failed try; decides when the next one is, and whether it was the last. */
export function afterFailedTry(plan: RetryPlan, failed: FailedTries, now: Date): NextTry {
  const { maxTries = Number.POSITIVE_INFINITY, givenUpAfterMs = Number.POSITIVE_INFINITY, minTries = 1 } = plan;
  const tries = failed.tries + 1;
  const failingSince = failed.failingSince ?? now;
  const ageMs = now.getTime() - failingSince.getTime();
  const pauseMs = plan.growsWithAge ? pauseAtAge(plan, ageMs) : pauseAfter(plan, tries);
  const untilEndMs = plan.endsWithTry ? Math.max(givenUpAfterMs - ageMs, plan.firstMs) : pauseMs;
  const isOver = tries >= maxTries || (ageMs >= givenUpAfterMs && tries >= minTries);
  return {
    tries,
    failingSince,
    nextTryAt: new Date(now.getTime() + Math.min(pauseMs, untilEndMs)),
    parkedAt: isOver ? now : null,
  };
}
