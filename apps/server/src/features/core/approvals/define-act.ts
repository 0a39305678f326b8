import type { ConsoleOperation } from '@sparechange/contract/console';
import type { z } from 'zod';
import type { Actor } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type ActLine, linesAsRecorded, linesOf, type Words } from './act-lines.ts';
import type { HowCarriedOut } from './carry-out.ts';
import type { PeopleNeeded } from './people-needed.ts';

/** A reader of an act's arguments, and the place they read it in. */
export interface Looking {
  db: Pool;
  tenants: Tenants;
  encryption: FieldEncryption;
  /** If false, names and email addresses of supporters are masked. */
  maySeeSupporters: boolean;
  /** A page names a club by its link, for people; a command by the id that others take. */
  isOnPage?: boolean;
  /** Nodes that are known not to answer, and so are not asked. */
  silentServers?: string[] | undefined;
}

/** A second person who is about to agree. */
export interface Agreeing {
  actor: Actor;
  at: Date;
  people: PeopleNeeded;
}

/** At least one: an act without a call could be asked for by commands alone, and every change of roles would refuse it. */
type Calls = readonly [ConsoleOperation, ...ConsoleOperation[]];

/** The definition of an act that two people decide on; `Deps` are the parts that it is carried out with. */
interface Definition<Name extends string, Recorded extends z.ZodType, Deps, Result> {
  /** The code under which requests are recorded. */
  name: Name;
  /** The arguments, as recorded when it is asked for. */
  arguments: Recorded;
  /** Calls by which people of the console request it. */
  askedBy: Calls;
  /** True where finance decides on it as well as owners. */
  isDecidedByFinance: boolean;
  /** Carries the act out. An act that would do something twice records its end in the same transaction, by `recordEnd`. */
  carryOut: (deps: Deps, args: z.output<Recorded>, by: Actor, how: HowCarriedOut) => Promise<Result>;
  /** Returns true where one person suffices, up to the limit; never if absent. */
  isForOne?: (deps: Deps, args: z.output<Recorded>) => Promise<boolean>;
  /** Throws NotAllowed for a second person who may not be the one to agree. */
  refuseAgreement?: (tx: Db, args: z.output<Recorded>, agreeing: Agreeing) => Promise<void>;
  /** Describes the arguments by label: the second person approves what is shown, so everything with an effect is. */
  describe: (looking: Looking, args: z.output<Recorded>) => Promise<Words>;
}

/** An act that two people decide on; `recorded` are its arguments as the database keeps them. */
export interface Act<Name extends string, Args, Deps, Result> {
  name: Name;
  askedBy: Calls;
  isDecidedByFinance: boolean;
  carryOut: (deps: Deps, args: Args, by: Actor, how: HowCarriedOut) => Promise<Result>;
  isForOne: (deps: Deps, args: Args) => Promise<boolean>;
  carryOutRecorded: (deps: Deps, recorded: unknown, by: Actor, how: HowCarriedOut) => Promise<Result>;
  refuseAgreement: (tx: Db, recorded: unknown, agreeing: Agreeing) => Promise<void>;
  /** Returns labelled lines of printable characters; bank data is masked. */
  describe: (looking: Looking, recorded: unknown) => Promise<ActLine[]>;
}

/**
 * Defines an act for two people in the feature that it belongs to; all of them are listed in
 * apps/server/src/features/console/operators/acts.ts.
 */
export function defineAct<Name extends string, Recorded extends z.ZodType, Deps, Result>({
  name,
  arguments: schema,
  askedBy,
  isDecidedByFinance,
  carryOut,
  isForOne = async () => false,
  refuseAgreement,
  describe,
}: Definition<Name, Recorded, Deps, Result>): Act<Name, z.output<Recorded>, Deps, Result> {
  return {
    name,
    askedBy,
    isDecidedByFinance,
    carryOut,
    isForOne,
    carryOutRecorded: async (deps, recorded, by, how) => carryOut(deps, schema.parse(recorded), by, how),
    refuseAgreement: async (tx, recorded, agreeing) => refuseAgreement?.(tx, schema.parse(recorded), agreeing),
    describe: async (looking, recorded) => {
      const { data, success } = schema.safeParse(recorded);
      return success ? linesOf(await describe(looking, data)) : linesAsRecorded(recorded);
    },
  };
}
