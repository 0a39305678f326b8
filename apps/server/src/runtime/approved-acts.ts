import { maxWithoutSecondPerson } from '@sparechange/domain';
import type { DueTask } from '@sparechange/domain/timetable';
import { type Actor, isSamePerson } from '#audit/audit-log.ts';
import { stopChangeOfRequest } from '#features/beneficiaries/bank-details/requests-of-changes.ts';
import { type ApprovedActs, acts, describeAct, findAct, mayAskFor } from '#features/console/operators/acts.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import { AskedAlready, agree, askApproval, refuseApproval } from '#features/core/approvals/approve.ts';
import type { AskedFor, DoOrAsk, Tried } from '#features/core/approvals/approved-acts.ts';
import type { Act } from '#features/core/approvals/define-act.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import {
  choosePeople,
  NeedsSecondPerson,
  type PeopleNeeded,
  peopleRule,
} from '#features/core/approvals/people-needed.ts';
import { reopenTask } from '#jobs/timetable/run-timetable.ts';
import type { Runtime } from './compose.ts';
import { payoutDependencies } from './dependencies.ts';

/** Parts of a process that acts are carried out with. */
type ActRuntime = Parameters<typeof payoutDependencies>[0] & { config: Pick<Runtime['config'], 'isProduction'> };

const actDependencies = (runtime: ActRuntime) => ({
  ...payoutDependencies(runtime),
  isProduction: runtime.config.isProduction,
  mayAskFor,
  reopenTask: (due: DueTask) => reopenTask(runtime.db, due),
});

type ActDeps = ReturnType<typeof actDependencies>;

/** Carries an act out where one person is enough; else records that it was asked for. The summary is for people, without bank data. */
export async function doOrAsk<Args extends object, Result>(
  runtime: ActRuntime,
  actor: Actor,
  { name, carryOut, isForOne }: Act<string, Args, ActDeps, Result>,
  args: Args,
  summary: string,
): Promise<Tried<Result>> {
  const deps = actDependencies(runtime);
  const { people } = await peopleRule(runtime.db, runtime.config.isProduction);
  if (people === 1) return { result: await carryOut(deps, args, actor, {}) };
  if (await isForOne(deps, args)) {
    try {
      return { result: await carryOut(deps, args, actor, { limit: maxWithoutSecondPerson }) };
    } catch (error) {
      if (!(error instanceof NeedsSecondPerson)) throw error;
    }
  }
  return { approval: await ask(runtime, actor, { act: name, arguments: args, summary }) };
}

/** Asks a second person. Throws AskedAlready for what somebody else has asked for, so that it is agreed to and not lost with theirs. */
async function ask(
  runtime: ActRuntime,
  actor: Actor,
  asked: Pick<Approval, 'act' | 'arguments' | 'summary'>,
): Promise<Approval> {
  const approval = await askApproval(runtime, asked, actor);
  if (isSamePerson(approval.askedBy, actor)) return approval;
  const { id } = approval.askedBy;
  throw new AskedAlready(approval, (await namesOfPeople(runtime.db, [id])).get(id) ?? id);
}

/**
 * Sets how many people a dangerous act needs. Raising it to two takes effect immediately; lowering it to one needs two
 * people, unless an only owner makes the first choice.
 */
export async function choosePeopleOrAsk(runtime: ActRuntime, actor: Actor, people: PeopleNeeded) {
  if (people === 2) return { result: await choosePeople(runtime, people, actor) };
  return doOrAsk(runtime, actor, acts.onePerson, {}, 'One person is enough for every act');
}

/** Agrees to an act as a second person and carries it out; returns undefined where that was done before. */
export const agreeTo = (runtime: ActRuntime, actor: Actor, id: string, isWaitedFor = () => true) =>
  agree<unknown>(
    runtime,
    actor,
    id,
    async ({ act: name, arguments: recorded, askedBy }, recordEnd) => {
      const act = findAct(name);
      if (!act) throw new Error(`There is no act ${name}.`);
      const how = { recordEnd, askedBy, isWaitedFor };
      return act.carryOutRecorded(actDependencies(runtime), recorded, actor, how);
    },
    async (tx, { act, arguments: recorded }) => {
      const { people } = await peopleRule(tx, runtime.config.isProduction);
      await findAct(act)?.refuseAgreement(tx, recorded, { actor, at: runtime.clock.now(), people });
    },
  );

/** Refuses an act that was asked for, which its asker may do as well, and ends what waits for it. */
export const refuseAct = (runtime: ActRuntime, actor: Actor, id: string) =>
  refuseApproval(runtime, actor, id, stopChangeOfRequest);

/** Returns the acts as they are asked for and agreed to in the console. */
export function approvedActs(runtime: ActRuntime): ApprovedActs {
  const asked = Object.entries(acts).map(([key, act]) => {
    const doOrAskFor: DoOrAsk<never> = (actor, args, summary) =>
      doOrAsk<never, unknown>(runtime, actor, act, args, summary);
    return [key, doOrAskFor];
  });
  return {
    ...(Object.fromEntries(asked) as AskedFor<typeof acts>), // entries forget which act has which arguments
    bankDetailsOfTreasurer: async (actor, args, summary) => ({
      approval: await ask(runtime, actor, { act: acts.bankDetails.name, arguments: args, summary }),
    }),
    peopleRule: () => peopleRule(runtime.db, runtime.config.isProduction),
    choosePeople: (actor, people) => choosePeopleOrAsk(runtime, actor, people),
    agree: (actor, id, isWaitedFor) => agreeTo(runtime, actor, id, isWaitedFor),
    refuse: (actor, id) => refuseAct(runtime, actor, id),
    describe: (approval, maySeeSupporters, silentServers) =>
      describeAct({ ...runtime, maySeeSupporters, silentServers, isOnPage: true }, approval),
  };
}
