import { type Cents, sydneyTime } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { type Actor, actorName } from '#audit/audit-log.ts';
import { Conflict, Unavailable } from '#errors.ts';
import { matchByHand } from '#features/accounting/bank-statements/match-by-hand.ts';
import { type Corrected, correctLedger, writeOff } from '#features/accounting/bookkeeping/correct-ledger.ts';
import { agreeToChange } from '#features/beneficiaries/bank-details/change-bank-details.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { resumeTenant } from '#features/collections/debits/suspended-tenants.ts';
import { isGrantForOne, setRoles } from '#features/console/operators/manage-operators.ts';
import { countOwners } from '#features/console/operators/operator-repository.ts';
import type { ActName } from '#features/core/approvals/act-names.ts';
import { hasSecondPerson } from '#features/core/approvals/approval-repository.ts';
import { NoLongerPossible, type RecordEnd, refuseRequestsOf } from '#features/core/approvals/approve.ts';
import { choosePeople, peopleRule } from '#features/core/approvals/people-needed.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { findKey } from '#features/disbursements/programs/key-repository.ts';
import { createKey, isValidKey, rotateKey } from '#features/disbursements/programs/keys.ts';
import { planRepayment } from '#features/disbursements/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/disbursements/repayments/repayment-kind.ts';
import { reopenTask } from '#jobs/timetable/run-timetable.ts';
import { type ActArguments, actArguments } from './act-arguments.ts';
import type { Runtime } from './compose.ts';
import { dependencies, payoutDependencies } from './dependencies.ts';

/** Parts of a process that acts are carried out with. */
export type ActDeps = Parameters<typeof dependencies>[0] & {
  config: Pick<Runtime['config'], 'mailFrom' | 'isProduction'>;
};

interface HowCarriedOut {
  /** The most that one person may move alone; `carryOut` throws NeedsSecondPerson above it. */
  limit?: Cents;
  /** Records the end of the request, together with a change that is not safe twice. */
  recordEnd?: RecordEnd;
  /** The person who asked, where another one agreed. */
  askedBy?: Actor;
  /** Returns whether somebody still waits for the result. */
  isWaitedFor?: () => boolean;
}

/** An act that needs two people. */
export interface ApprovedAct<Args, Result> {
  name: ActName;
  /** Carries the act out. An act that would do something twice records its end in the same transaction, by `recordEnd`. */
  carryOut(runtime: ActDeps, args: Args, actor: Actor, how: HowCarriedOut): Promise<Result>;
  /** Carries out the act as it was recorded when it was asked for. */
  carryOutRecorded(runtime: ActDeps, recorded: unknown, actor: Actor, how: HowCarriedOut): Promise<Result>;
  /** Returns true where one person suffices, up to the limit. */
  isForOne(runtime: ActDeps, args: Args): Promise<boolean>;
}

const anAct = <Name extends ActName, Result>(
  name: Name,
  carryOut: ApprovedAct<ActArguments<Name>, Result>['carryOut'],
  isForOne: ApprovedAct<ActArguments<Name>, Result>['isForOne'] = async () => false,
): ApprovedAct<ActArguments<Name>, Result> => ({
  name,
  carryOut,
  carryOutRecorded: (runtime, recorded, ...who) =>
    carryOut(runtime, actArguments[name].parse(recorded) as ActArguments<Name>, ...who),
  isForOne,
});

const upToLimit = async () => true;

/** Throws NoLongerPossible for a conflict that a second person's agreement meets, as its request would meet it each time. */
async function unlessOver<Result>(work: Promise<Result>, { recordEnd }: HowCarriedOut): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw recordEnd && error instanceof Conflict ? new NoLongerPossible(error.message) : error;
  }
}

/** Refuses the other requests about what was done, after an act whose changes are in several transactions. */
const refuseOthers = (
  { db, clock }: ActDeps,
  by: Actor,
  { act, about }: { act: ActName; about: object },
  because: string,
): Promise<void> =>
  db.begin((tx) => refuseRequestsOf(tx, act, { by, at: clock.now(), because, sparesUnderWay: true }, about));

export const debitRun = anAct(
  'debit_run',
  async (runtime, { date, force, confirmed, isAfterRestore, upTo }, by, how) => {
    const deps = { ...dependencies(runtime), isAfterRestore, isAskedByPerson: true };
    const run = await unlessOver(runDebits(deps, date, { force, confirmed, upTo }), how);
    if (force || confirmed !== null)
      await refuseOthers(runtime, by, { act: 'debit_run', about: { date } }, 'The run was made meanwhile.');
    if (run.awaitsBalances > 0)
      await reopenTask(runtime.db, { task: 'debit-run', dueAt: sydneyTime(date, debitRunTime) });
    return run;
  },
  async (_runtime, { force, confirmed }) => !force && confirmed === null,
);

/** Ends the suspension that was there when it was asked for, and no later one; other requests to end it are refused. */
export const resumption = anAct('tenant_resume', ({ db, clock }, { tenant, since }, by, { recordEnd }) =>
  db.begin(async (tx) => {
    const isResumed = await resumeTenant(tx, tenant, since);
    if (recordEnd && !isResumed)
      throw new NoLongerPossible('The suspension that this was to end is over already; nothing was done.');
    await recordEnd?.(tx);
    const why = { by, at: clock.now(), because: 'The debits were resumed meanwhile.' };
    if (isResumed) await refuseRequestsOf(tx, 'tenant_resume', why, { tenant });
    return isResumed;
  }),
);

export const refund = anAct(
  'refund',
  async (runtime, request, by, how) => {
    const planned = await unlessOver(planRepayment(runtime, request, how.limit), how);
    if (how.recordEnd && planned.isOfAnother)
      throw new NoLongerPossible('All of it was given back already; nothing was done.');
    if (planned.leftCents === 0)
      await refuseOthers(
        runtime,
        by,
        { act: 'refund', about: { debitId: request.debitId } },
        'All of it was given back meanwhile.',
      );
    await submitPayouts(payoutDependencies(runtime), repaymentKind);
    return planned;
  },
  upToLimit,
);

/** Throws NoLongerPossible where the agreed act can no longer be booked, so that it does not count as carried out. */
async function unlessChanged(booking: Promise<Corrected>, { recordEnd }: HowCarriedOut): Promise<Corrected> {
  const booked = await booking;
  const isBooked = booked.result === 'booked' || booked.result === 'booked before';
  if (recordEnd && !isBooked)
    throw new NoLongerPossible('The books have changed since this was asked for; nothing was booked.');
  return booked;
}

export const clubWriteOff = anAct(
  'write_off',
  (runtime, args, by, how) => unlessChanged(writeOff({ ...runtime, by }, args, how.limit), how),
  upToLimit,
);

export const ledgerCorrection = anAct(
  'ledger_correction',
  (runtime, args, by, how) => unlessChanged(correctLedger({ ...runtime, by }, args, how.limit), how),
  upToLimit,
);

/** Throws NoLongerPossible for two people where something else has explained the line since. */
export const lineMatch = anAct(
  'statement_line_match',
  async (runtime, match, by, how) => {
    const result = await matchByHand({ ...runtime, by }, match, how);
    if (how.recordEnd && result !== 'matched')
      throw new NoLongerPossible('The line is matched already; nothing was booked.');
    return result;
  },
  upToLimit,
);

/** Records the end of an act whose result is shown once, unless nobody would see it: then nothing is made. */
const recordSeenEnd =
  ({ recordEnd, isWaitedFor }: HowCarriedOut): RecordEnd =>
  async (tx) => {
    await recordEnd?.(tx);
    if (isWaitedFor?.() === false)
      throw new Unavailable('It took so long that nobody would have seen the secret, so it was not made.');
  };

/** Shows the key to the approver. */
export const apiKey = anAct(
  'api_key',
  (runtime, request, actor, how) => createKey(runtime, request, actor, recordSeenEnd(how)),
  async (_runtime, { scopes }) => !scopes.includes('write_clubs'),
);

/** Another secret of a key that writes is a key that writes; for a key that has ended it is refused immediately. */
export const keyRotation = anAct(
  'api_key_rotation',
  (runtime, request, actor, how) => rotateKey(runtime, request, actor, recordSeenEnd(how)),
  async ({ db, clock }, { id }) => {
    const key = await findKey(db, id);
    return !key || !isValidKey(key, clock.now()) || !key.scopes.includes('write_clubs');
  },
);

export const bankDetails = anAct('club_bank_details', (runtime, { changeId }, actor, how) =>
  unlessOver(agreeToChange(runtime, changeId, actorName(actor)), how),
);

/** Gives a person of the console their roles. */
export const grantedRoles = anAct(
  'console_roles',
  (runtime, { personId, seen, ...grant }, by, how) => {
    const { recordEnd: alsoRecord, askedBy, limit } = how;
    const isOfOnePerson = limit !== undefined;
    return unlessOver(setRoles({ ...runtime, by, askedBy }, personId, grant, { isOfOnePerson, seen, alsoRecord }), how);
  },
  ({ db }, { personId, ...grant }) => isGrantForOne(db, personId, grant),
);

/** Takes a second person once there are, or have been, several owners: one owner may remove the others. */
export const onePerson = anAct(
  'one_person',
  (runtime, _args, actor, { recordEnd }) => choosePeople(runtime, 1, actor, recordEnd),
  async ({ db, config }) =>
    (await peopleRule(db, config.isProduction)).chosenBy === null &&
    (await countOwners(db)) <= 1 &&
    !(await hasSecondPerson(db)),
);

/** Every act that needs two people (docs/decisions/approvals.md#acts-for-two-people). */
export const acts: Record<ActName, Pick<ApprovedAct<never, unknown>, 'carryOutRecorded'>> = {
  debit_run: debitRun,
  tenant_resume: resumption,
  refund,
  write_off: clubWriteOff,
  ledger_correction: ledgerCorrection,
  statement_line_match: lineMatch,
  api_key: apiKey,
  api_key_rotation: keyRotation,
  club_bank_details: bankDetails,
  console_roles: grantedRoles,
  one_person: onePerson,
};
