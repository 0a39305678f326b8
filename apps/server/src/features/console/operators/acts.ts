import { type Permitted, refusalOfCall } from '@sparechange/contract/console';
import { lineMatch } from '#features/accounting/bank-statements/line-match-act.ts';
import { clubWriteOff, ledgerCorrection } from '#features/accounting/bookkeeping/ledger-acts.ts';
import { bankDetails } from '#features/beneficiaries/bank-details/bank-details-act.ts';
import { debitRun } from '#features/collections/debits/debit-run-act.ts';
import { resumption } from '#features/collections/debits/resumption-act.ts';
import { type ActLine, linesAsRecorded } from '#features/core/approvals/act-lines.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import type { AskedFor, Decisions } from '#features/core/approvals/approved-acts.ts';
import type { Looking } from '#features/core/approvals/define-act.ts';
import { apiKey, keyRotation } from '#features/disbursements/programs/key-acts.ts';
import { refund } from '#features/disbursements/repayments/refund-act.ts';
import { onePerson } from './one-person-act.ts';
import { grantedRoles } from './roles-act.ts';

/** Every act that needs two people, as callers ask for it (docs/decisions/approvals.md#acts-for-two-people). */
export const acts = {
  debitRun,
  resumption,
  refund,
  clubWriteOff,
  ledgerCorrection,
  lineMatch,
  apiKey,
  keyRotation,
  bankDetails,
  roles: grantedRoles,
  onePerson,
};

type AnAct = (typeof acts)[keyof typeof acts];
export type ActName = AnAct['name'];

const listed: AnAct[] = Object.values(acts);
const byName = new Map<string, AnAct>(listed.map((act) => [act.name, act]));

export const actNames = listed.map(({ name }) => name);

/** Acts that finance decides on as well as owners. */
export const actsOfFinance: string[] = listed
  .filter(({ isDecidedByFinance }) => isDecidedByFinance)
  .map(({ name }) => name);

/** Finds an act by the code that it was recorded under; a newer version's is none. */
export const findAct = (name: string): AnAct | undefined => byName.get(name);

/** Returns whether somebody with these roles may request an act, for its club if it has one. */
export function mayAskFor(name: string, person: Omit<Permitted, 'isByLink'>, clubId: string | undefined): boolean {
  const permitted = { ...person, isByLink: false };
  const calls = findAct(name)?.askedBy ?? [];
  return calls.some(
    (call) => !refusalOfCall(call, permitted, call.clubField === undefined ? {} : { [call.clubField]: clubId }),
  );
}

/** Returns the arguments of a request as labelled lines. */
export const describeAct = async (
  looking: Looking,
  { act, arguments: recorded }: Pick<Approval, 'act' | 'arguments'>,
): Promise<ActLine[]> => (await findAct(act)?.describe(looking, recorded)) ?? linesAsRecorded(recorded);

/** Acts as the console's routes ask for them, and what is decided on them. */
export type ApprovedActs = AskedFor<typeof acts> &
  /** Asks the organisation even if one of its people would be enough. */
  AskedFor<{ bankDetailsOfTreasurer: typeof bankDetails }> &
  Decisions;
