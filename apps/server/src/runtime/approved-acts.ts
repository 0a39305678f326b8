import { maxWithoutSecondPerson } from '@sparechange/domain';
import { type Actor, actorName, isSamePerson } from '#audit/audit-log.ts';
import { NotAllowed } from '#errors.ts';
import { refuseInvolved, stopChangeOfRequest } from '#features/beneficiaries/bank-details/requests-of-changes.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import { AskedAlready, agree, askApproval, refuseApproval } from '#features/core/approvals/approve.ts';
import type { ApprovedActs, DoOrAsk } from '#features/core/approvals/approved-acts.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import {
  choosePeople,
  NeedsSecondPerson,
  type PeopleNeeded,
  peopleRule,
} from '#features/core/approvals/people-needed.ts';
import { actArguments } from './act-arguments.ts';
import {
  type ActDeps,
  type ApprovedAct,
  acts,
  apiKey,
  bankDetails,
  clubWriteOff,
  debitRun,
  grantedRoles,
  keyRotation,
  ledgerCorrection,
  lineMatch,
  onePerson,
  refund,
  resumption,
} from './acts.ts';
import { describeAct } from './describe-act.ts';

/** Carries an act out where one person is enough; else records that it was asked for. The summary is for people, without bank data. */
export async function doOrAsk<Args extends object, Result>(
  runtime: ActDeps,
  actor: Actor,
  { name, carryOut, isForOne }: ApprovedAct<Args, Result>,
  args: Args,
  summary: string,
): Promise<{ result: Result } | { approval: Approval }> {
  const { people } = await peopleRule(runtime.db, runtime.config.isProduction);
  if (people === 1) return { result: await carryOut(runtime, args, actor, {}) };
  if (await isForOne(runtime, args)) {
    try {
      return { result: await carryOut(runtime, args, actor, { limit: maxWithoutSecondPerson }) };
    } catch (error) {
      if (!(error instanceof NeedsSecondPerson)) throw error;
    }
  }
  return { approval: await ask(runtime, actor, { act: name, arguments: args, summary }) };
}

/** Asks a second person. Throws AskedAlready for what somebody else has asked for, so that it is agreed to and not lost with theirs. */
async function ask(
  runtime: ActDeps,
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
export async function choosePeopleOrAsk(runtime: ActDeps, actor: Actor, people: PeopleNeeded) {
  if (people === 2) return { result: await choosePeople(runtime, people, actor) };
  return doOrAsk(runtime, actor, onePerson, {}, 'One person is enough for every act');
}

/**
 * Throws NotAllowed for the person who would get the roles, also where they became an owner since they were asked for.
 */
function refuseWhoGetsRoles({ kind, id }: Actor, recorded: unknown): void {
  const { data: grant } = actArguments.console_roles.safeParse(recorded);
  if (kind === 'console' && grant?.personId === id)
    throw new NotAllowed('These roles would be yours; another person has to agree.');
}

/** Agrees to an act as a second person and carries it out; returns undefined where that was done before. */
export const agreeTo = (runtime: ActDeps, actor: Actor, id: string, isWaitedFor = () => true) =>
  agree<unknown>(
    runtime,
    actor,
    id,
    ({ act, arguments: recorded, askedBy }, recordEnd) =>
      acts[act].carryOutRecorded(runtime, recorded, actor, { recordEnd, askedBy, isWaitedFor }),
    async (tx, { act, arguments: recorded }) => {
      if (act === grantedRoles.name) refuseWhoGetsRoles(actor, recorded);
      const { people } = await peopleRule(tx, runtime.config.isProduction);
      if (act !== bankDetails.name || people === 1) return;
      const { changeId } = actArguments.club_bank_details.parse(recorded);
      await refuseInvolved(tx, changeId, actorName(actor), runtime.clock.now());
    },
  );

/** Refuses an act that was asked for, which its asker may do as well, and ends what waits for it. */
export const refuseAct = (runtime: ActDeps, actor: Actor, id: string) =>
  refuseApproval(runtime, actor, id, stopChangeOfRequest);

/** Returns the acts as they are asked for and agreed to in the console. */
export function approvedActs(deps: ActDeps): ApprovedActs {
  const doOrAskFor =
    <Args extends object, Result>(act: ApprovedAct<Args, Result>): DoOrAsk<Args, Result> =>
    (actor, args, summary) =>
      doOrAsk(deps, actor, act, args, summary);
  return {
    debitRun: doOrAskFor(debitRun),
    resumption: doOrAskFor(resumption),
    refund: doOrAskFor(refund),
    clubWriteOff: doOrAskFor(clubWriteOff),
    ledgerCorrection: doOrAskFor(ledgerCorrection),
    lineMatch: doOrAskFor(lineMatch),
    apiKey: doOrAskFor(apiKey),
    keyRotation: doOrAskFor(keyRotation),
    bankDetails: doOrAskFor(bankDetails),
    bankDetailsOfTreasurer: async (actor, args, summary) => ({
      approval: await ask(deps, actor, { act: bankDetails.name, arguments: args, summary }),
    }),
    roles: doOrAskFor(grantedRoles),
    peopleRule: () => peopleRule(deps.db, deps.config.isProduction),
    choosePeople: (actor, people) => choosePeopleOrAsk(deps, actor, people),
    agree: (actor, id, isWaitedFor) => agreeTo(deps, actor, id, isWaitedFor),
    refuse: (actor, id) => refuseAct(deps, actor, id),
    describe: (approval, maySeeSupporters, silentServers) =>
      describeAct({ ...deps, maySeeSupporters, silentServers, isOnPage: true }, approval),
  };
}
