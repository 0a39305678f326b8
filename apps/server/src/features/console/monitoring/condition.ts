import type { Pool } from '#db/connect.ts';
import type { AlarmDeps } from '#features/core/alarms/alarms.ts';
import type { PeopleRule } from '#features/core/approvals/people-needed.ts';
import type { BankFiles } from '#ports/bank-files.ts';
import type { Clock } from '#ports/clock.ts';
import type { Needs } from '#telemetry/dependency-health.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

/** The parts of the product that conditions are read from. */
export interface Surroundings {
  /** Without the buckets of silent nodes. */
  db: Pool;
  silentServers: string[];
  clock: Clock;
  tenants: Tenants;
  /** Returns how many people a dangerous act needs. */
  peopleRule: () => Promise<PeopleRule>;
  /** Counts failed jobs that are not retried. */
  countFailedJobs: (db: Pool) => Promise<number>;
  /** Where alarms are mailed to; only `ops status` reports it. */
  operatorMail?: string | undefined;
  needs?: (() => Promise<Needs>) | undefined;
  /** Absent if payments do not go by bank files. */
  bankFiles?: Pick<BankFiles, 'lodging'> | undefined;
}

type Read<Value> = (seen: Surroundings) => PromiseLike<Value>;
type Reads<Values> = { [Name in keyof Values]: Read<Values[Name]> };
/** Fields of the page Today: the name of a value of `read`, or how another one is read. */
type OnToday = Record<string, string | Read<unknown>>;
type ShownOf<Reported, Fields> = {
  [Field in keyof Fields]: Fields[Field] extends keyof Reported
    ? Reported[Fields[Field]]
    : Fields[Field] extends Read<infer Value>
      ? Value
      : never;
};

interface Definition<Reported, Fields> {
  /** Reads it, by the JSON keys of `ops status`. */
  read?: Reads<Reported>;
  /** The lines that `ops status` prints about it. */
  lines?: (reported: Reported) => string[];
  today?: Fields & OnToday;
  /** Raises its alarms; called each minute. */
  watch?: (deps: AlarmDeps) => Promise<void>;
}

/** Something that may be wrong, or that an operator has to know. */
export interface Condition<Reported = object, Shown = object> {
  report(seen: Surroundings): Promise<{ reported: Reported; lines: string[] }>;
  show(seen: Surroundings): Promise<Shown>;
  watch: ((deps: AlarmDeps) => Promise<void>) | undefined;
}

async function readEach<Values>(reads: Reads<Values>, seen: Surroundings): Promise<Values> {
  const values: Partial<Values> = {};
  for (const name in reads) values[name] = await reads[name](seen);
  return values as Values;
}

/** Defines a condition once for `ops status`, for the page Today and for alarms. */
export function aCondition<Reported = object, const Fields extends OnToday = Record<never, never>>({
  read = {} as Reads<Reported>,
  lines = () => [],
  today = {} as Fields,
  watch,
}: Definition<Reported, Fields>): Condition<Reported, ShownOf<Reported, Fields>> {
  const reads: Record<string, Read<unknown>> = { ...read };
  const readOf = (from: string | Read<unknown>) => (typeof from === 'string' ? reads[from] : from);
  const shown = Object.fromEntries(Object.entries(today).map(([field, from]) => [field, readOf(from)]));
  return {
    async report(seen) {
      const reported = await readEach(read, seen);
      return { reported, lines: lines(reported) };
    },
    show: (seen) => readEach(shown as Reads<ShownOf<Reported, Fields>>, seen),
    watch,
  };
}
