import { choosePeopleNeeded } from '@sparechange/contract/console';
import { z } from 'zod';
import { hasSecondPerson } from '#features/core/approvals/approval-repository.ts';
import type { ApprovalDeps } from '#features/core/approvals/approve.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { choosePeople, onePersonName, peopleRule } from '#features/core/approvals/people-needed.ts';
import { countOwners } from './operator-repository.ts';

interface OnePersonDeps extends ApprovalDeps {
  isProduction: boolean;
}

/** Takes a second person once there are, or have been, several owners: one owner may remove the others. */
export const onePerson = defineAct({
  name: onePersonName,
  arguments: z.object({}),
  askedBy: [choosePeopleNeeded],
  isDecidedByFinance: false,
  carryOut: (deps: OnePersonDeps, _args, by, { recordEnd }) => choosePeople(deps, 1, by, recordEnd),
  isForOne: async ({ db, isProduction }) =>
    (await peopleRule(db, isProduction)).chosenBy === null &&
    (await countOwners(db)) <= 1 &&
    !(await hasSecondPerson(db)),
  describe: async () => ({ 'From then on': 'one person is enough for every act' }),
});
