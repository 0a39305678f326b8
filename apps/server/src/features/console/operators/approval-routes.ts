import * as contract from '@sparechange/contract/console';
import { type Actor, isSamePerson, personNamed } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { findSilentNodes, listPatienceMs } from '#db/silent-nodes.ts';
import { NotAllowed, NotFound } from '#errors.ts';
import { bankDetailsName, listUnconfirmed } from '#features/beneficiaries/bank-details/change-repository.ts';
import type { ActLine } from '#features/core/approvals/act-lines.ts';
import {
  type Approval,
  countLeftOut,
  countOpenApprovals,
  findApproval,
  listApprovals,
} from '#features/core/approvals/approval-repository.ts';
import { listUnderWay } from '#features/core/approvals/approve.ts';
import { type Decisions, presentAsked } from '#features/core/approvals/approved-acts.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import { type ConsoleCaller, consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { Clock } from '#ports/clock.ts';
import { actsOfFinance } from './acts.ts';

/** Returns the acts a person decides on; undefined for all. */
const actsOf = ({ roles }: ConsoleCaller) => (roles.includes('owner') ? undefined : actsOfFinance);

const dayMs = 86_400_000;
/** Time that decided requests stay listed, so that their requesters see the outcome. */
const decidedShownMs = dayMs;
/** Time that lapsed requests stay listed, longer as nobody acted on them: past a weekend and a holiday. */
const lapsedShownMs = 7 * dayMs;

const isLapsed = ({ state, expiresAt }: Approval, now: Date): boolean =>
  (state === 'asked' || state === 'agreed') && expiresAt <= now;

/** Serves requests of one person for another to decide, and the number of people needed. */
export function approvalRoutes(
  serve: ServeConsole,
  { db, clock, acts }: { db: Pool; clock: Clock; acts: Decisions },
): void {
  async function findTheirs(caller: ConsoleCaller, id: string): Promise<void> {
    const approval = await findApproval(db, id);
    if (!approval) throw new NotFound('The request');
    if (!(actsOf(caller)?.includes(approval.act) ?? true)) throw new NotAllowed('An owner decides on this.');
  }

  serve.person(contract.listApprovals, async ({ limit, act }, caller) => {
    const now = clock.now();
    const theirs = actsOf(caller);
    const listedActs = act === undefined ? theirs : [act].filter((one) => theirs?.includes(one) ?? true);
    const decidedSince = new Date(now.getTime() - decidedShownMs);
    const lapsedSince = new Date(now.getTime() - lapsedShownMs);
    const listed = await listApprovals(db, { now, limit, decidedSince, lapsedSince, acts: listedActs });
    const unconfirmed = listedActs?.includes(bankDetailsName) === false ? [] : await listUnconfirmed(db, lapsedSince);
    const leftOut = countLeftOut(await countOpenApprovals(db, now, listedActs), listed, now);
    const people = [
      ...listed.flatMap(({ askedBy, decidedBy }) => [askedBy.id, decidedBy?.id ?? '']),
      ...unconfirmed.flatMap(({ askedBy }) => personNamed(askedBy) ?? []),
    ];
    const names = await namesOfPeople(db, people);
    const nameOf = ({ id }: Actor) => names.get(id) ?? id;
    const maySeeSupporters = contract.refusalOfCall(contract.retrieveSupporter, caller, {}) === undefined;
    const underWay = await listUnderWay(db, listed);
    const silent = await findSilentNodes(db, listPatienceMs);
    const lines = new Map<string, ActLine[]>();
    for (const approval of listed) lines.set(approval.id, await acts.describe(approval, maySeeSupporters, silent)); // in turn: one connection at most
    const approvals = listed.map((approval) => ({
      ...approval,
      lines: lines.get(approval.id) ?? [],
      state: isLapsed(approval, now) ? ('lapsed' as const) : approval.state,
      isUnderWay: underWay.has(approval.id),
      askedBy: nameOf(approval.askedBy),
      decidedBy: approval.decidedBy && nameOf(approval.decidedBy),
      isOwn: isSamePerson(approval.askedBy, consoleActor(caller)),
    }));
    const unconfirmedChanges = unconfirmed.map((change) => ({
      ...change,
      askedBy: names.get(personNamed(change.askedBy) ?? '') ?? change.askedBy,
    }));
    return { approvals, leftOut, unconfirmedChanges };
  });

  serve.person(contract.agreeToApproval, async ({ id }, caller, { patiently, isWaiting }) => {
    await findTheirs(caller, id);
    const carriedOut = acts.agree(consoleActor(caller), id, isWaiting);
    const result = await patiently(carriedOut.then((done) => done?.result ?? {}));
    const { text } = (result ?? {}) as { text?: unknown };
    return { isUnderWay: result === undefined, shownOnce: typeof text === 'string' ? text : null };
  });

  serve.person(contract.refuseApproval, async ({ id }, caller) => {
    await findTheirs(caller, id);
    await acts.refuse(consoleActor(caller), id);
    return {};
  });

  serve.person(contract.retrievePeopleNeeded, async () => {
    const { people, chosenBy } = await acts.peopleRule();
    const personId = personNamed(chosenBy ?? '');
    const names = await namesOfPeople(db, personId === undefined ? [] : [personId]);
    return { people, chosenBy: names.get(personId ?? '') ?? chosenBy };
  });

  serve.person(contract.choosePeopleNeeded, async ({ people }, caller) => ({
    asked: presentAsked(await acts.choosePeople(consoleActor(caller), people)),
  }));
}
