import { KeyScope } from '@sparechange/contract/programs';
import { cents, isoDate, sydneyTime, total } from '@sparechange/domain';
import { debitRunTime } from '@sparechange/domain/banking-calendar';
import { z } from 'zod';
import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Approval } from '#features/approvals/approval-repository.ts';
import { agree, askApproval } from '#features/approvals/approve.ts';
import { choosePeople, peopleRule } from '#features/approvals/people-needed.ts';
import { agreeToChange } from '#features/bank-details/change-bank-details.ts';
import { correctableAccounts, correctLedger, writeOff } from '#features/bookkeeping/correct-ledger.ts';
import { runDebits } from '#features/debits/run-debits.ts';
import { resumeTenant } from '#features/debits/suspended-tenants.ts';
import { findPayment } from '#features/payments/decide-payment.ts';
import { submitPayouts } from '#features/payouts/submit-payouts.ts';
import { findKey } from '#features/programs/key-repository.ts';
import { createKey, rotateKey } from '#features/programs/keys.ts';
import { planRepayment } from '#features/repayments/plan-repayment.ts';
import { repaymentKind } from '#features/repayments/repayment-kind.ts';
import { listOpenRepayments } from '#features/repayments/repayment-repository.ts';
import { reopenTask } from '#jobs/timetable/run-timetable.ts';
import type { Runtime } from './compose.ts';
import { dependencies, payoutDependencies } from './tasks.ts';

/** An act that needs two people. */
interface ApprovedAct<Args, Result> {
  name: string;
  /** Again, it does nothing twice. */
  carryOut(runtime: Runtime, args: Args, actor: Actor): Promise<Result>;
  /** Carries out what was recorded when it was asked for. */
  carryOutRecorded(runtime: Runtime, recorded: unknown, actor: Actor): Promise<Result>;
  /** Returns true where one person is enough. */
  isForOne(runtime: Runtime, args: Args): Promise<boolean>;
}

const anAct = <Args, Result>(
  name: string,
  schema: z.ZodType<Args>,
  carryOut: ApprovedAct<Args, Result>['carryOut'],
  isForOne: ApprovedAct<Args, Result>['isForOne'] = async () => false,
): ApprovedAct<Args, Result> => ({
  name,
  carryOut,
  carryOutRecorded: (runtime, recorded, actor) => carryOut(runtime, schema.parse(recorded), actor),
  isForOne,
});

/** The most that one person may refund, write off or correct. */
const limitOfOnePerson = cents(50_00);

const amount = z.int().positive().transform(cents);
const day = z.string().transform(isoDate);
const account = z.enum(correctableAccounts);
const booked = z.object({ id: z.string(), amount, reason: z.string() });

export const debitRun = anAct(
  'debit_run',
  z.object({ date: day, force: z.boolean(), confirm: z.boolean(), isAfterRestore: z.boolean() }),
  async (runtime, { date, force, confirm, isAfterRestore }) => {
    const run = await runDebits({ ...dependencies(runtime), isAfterRestore }, date, { force, confirm });
    if (run.awaitsBalances > 0)
      await reopenTask(runtime.db, { task: 'debit-run', dueAt: sydneyTime(date, debitRunTime) });
    return run;
  },
  async (_runtime, { force, confirm }) => !force && !confirm,
);

/** Ends the halt that was there when it was asked for, and no later one. */
export const resumption = anAct(
  'tenant_resume',
  z.object({ tenant: z.string(), since: z.coerce.date().optional(), because: z.string().optional() }),
  ({ db }, { tenant, since }) => resumeTenant(db, tenant, since),
);

export const refund = anAct(
  'refund',
  z.object({
    supporterId: z.uuid(),
    debitId: z.uuid(),
    amount: amount.optional(),
    reason: z.string(),
    requestId: z.string().optional(),
  }),
  async (runtime, request) => {
    const planned = await planRepayment(runtime, request);
    await submitPayouts(payoutDependencies(runtime), repaymentKind);
    return planned;
  },
  async ({ db }, { supporterId, debitId: id, amount }) => {
    if (amount === undefined) return (await findPayment(db, id)).amount <= limitOfOnePerson;
    const before = await listOpenRepayments(db.of(supporterId), { supporterId, id });
    return total([amount, ...before.map((each) => each.amount)]) <= limitOfOnePerson; // in parts it is no smaller
  },
);

export const clubWriteOff = anAct(
  'write_off',
  booked.extend({ clubId: z.string() }),
  writeOff,
  async (_runtime, { amount }) => amount <= limitOfOnePerson,
);

export const ledgerCorrection = anAct(
  'ledger_correction',
  booked.extend({ debit: account, credit: account, clubId: z.string().optional() }),
  correctLedger,
  async (_runtime, { amount }) => amount <= limitOfOnePerson,
);

/** Shows the key to whoever agrees. */
export const apiKey = anAct(
  'api_key',
  z.object({ name: z.string(), scopes: KeyScope.array(), clubId: z.string().optional(), days: z.number() }),
  (runtime, request, actor) => createKey(runtime, request, actor),
  async (_runtime, { scopes }) => !scopes.includes('write_clubs'),
);

/** Another secret of a key that writes is a key that writes. */
export const keyRotation = anAct(
  'api_key_rotation',
  z.object({ id: z.string(), days: z.number(), overlapHours: z.number() }),
  rotateKey,
  async ({ db }, { id }) => !(await findKey(db, id))?.scopes.includes('write_clubs'),
);

export const bankDetails = anAct(
  'club_bank_details',
  z.object({ changeId: z.uuid() }),
  (runtime, { changeId }, actor) => agreeToChange(runtime, changeId, actorName(actor)),
);

export const onePerson = anAct(
  'one_person',
  z.object({}),
  (runtime, _args, actor) => choosePeople(runtime, 1, actor),
  async ({ db, config }) => (await peopleRule(db, config.isProduction)).chosenBy === null,
);

/** Every act that needs two people (docs/decisions/0129-two-people.md). */
const approvedActs = [
  debitRun,
  resumption,
  refund,
  clubWriteOff,
  ledgerCorrection,
  apiKey,
  keyRotation,
  bankDetails,
  onePerson,
];

/** Carries an act out where one person is enough; else records that it was asked for. The summary is for people, without bank data. */
export async function doOrAsk<Args extends object, Result>(
  runtime: Runtime,
  actor: Actor,
  { name, carryOut, isForOne }: ApprovedAct<Args, Result>,
  args: Args,
  summary: string,
): Promise<{ result: Result } | { approval: Approval }> {
  const { people } = await peopleRule(runtime.db, runtime.config.isProduction);
  if (people === 1 || (await isForOne(runtime, args))) return { result: await carryOut(runtime, args, actor) };
  return { approval: await askApproval(runtime, { act: name, arguments: args, summary }, actor) };
}

/** Agrees to an act as a second person and carries it out; answers undefined where that was done before. */
export const agreeTo = (runtime: Runtime, actor: Actor, id: string) =>
  agree<unknown>(runtime, actor, id, ({ act, arguments: recorded }) => {
    const known = approvedActs.find(({ name }) => name === act);
    if (!known) throw new Error(`There is no act ${act}.`);
    return known.carryOutRecorded(runtime, recorded, actor);
  });
