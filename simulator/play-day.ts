import { addDays, type IsoDate, sydneyTime } from '@sparechange/domain';
import { timetableOf } from '@sparechange/domain/timetable';
import { verifyAuditLog } from '@sparechange/server/audit/verify-audit-log.ts';
import { reconcilePayments } from '@sparechange/server/features/accounting/reconciliation/reconcile-payments.ts';
import { pollOutcomes } from '@sparechange/server/features/collections/outcomes/poll-outcomes.ts';
import { auditBooks } from '@sparechange/server/features/core/ledger/audit-books.ts';
import { dependencies } from '@sparechange/server/runtime/dependencies.ts';
import { act } from './actors/actions.ts';
import { checkForwardedLinks, forwardLink } from './actors/forwarded-link.ts';
import { decideParked, holdAndRelease, resumeSuspended, stopAndResumeTenant } from './actors/operator.ts';
import { refundDebit } from './actors/operator-refunds.ts';
import { repairSupporter } from './actors/repair-supporter.ts';
import { checkAlarms, checkTrustAccount, importYesterday } from './actors/trust-account.ts';
import { checkSupporter } from './invariants/check-supporter.ts';
import { checkDeferrals } from './invariants/deferral-oracle.ts';
import { checkMails, checkUnwantedMails, learnEndedPauses } from './invariants/emailed-notices.ts';
import { checkMandates, lowerCeilings } from './invariants/mandate-oracle.ts';
import { checkMoney } from './invariants/money-oracle.ts';
import { checkNothingOverdue } from './invariants/overdue-oracle.ts';
import { endOverdueConsents } from './invariants/round-up-oracle.ts';
import { checkNothingParked } from './invariants/unanswered-oracle.ts';
import { firstDay, type Play } from './play.ts';
import type { World } from './world.ts';

/** Calm days at the end, so that everything can come to its end. */
const calmDays = 14;

const visitTimes = ['00:40', '09:00', '15:00', '21:00'] as const;

interface Moment {
  at: Date;
  act: () => Promise<void>;
}

/** One day: supporters come by at some times of it, the timetable runs at its own, and before midnight all is looked at. */
export async function playDay(play: Play, number: number): Promise<void> {
  const { world, worker, options, report } = play;
  const day = addDays(firstDay, number);
  const daysLeft = options.days - number;
  const isCalm = daysLeft <= calmDays;
  await options.onMorning?.(number, world.admin);
  if (!isCalm) await play.faults.newDay();
  else await play.faults.stop();
  for (const { at, act } of momentsOf(play, day, isCalm)) {
    world.clock.moveTo(new Date(at.getTime() + 1_000));
    await world.external.catchUp();
    endOverdueConsents(world.supporters, world.clock.peek());
    await worker.receiveNotifications();
    await worker.drain();
    await play.oracle.learn(world);
    await learnEndedPauses(world, false);
    await act();
    await worker.drain();
    await play.submissions.check(world);
    if (report.violations.length > 0) return;
  }
  await checkDay(play, number);
  report.days += 1;
}

function momentsOf(play: Play, day: IsoDate, isCalm: boolean): Moment[] {
  const { world, worker } = play;
  const visits = Map.groupBy(world.supporters, ({ choices }) => choices.whole(0, visitTimes.length - 1));
  const moments: Moment[] = visitTimes.map((time, slot) => ({
    at: sydneyTime(day, time),
    act: async () => {
      for (const supporter of visits.get(slot) ?? []) {
        if (isCalm) await repairSupporter(world, supporter);
        else await act(world, supporter);
      }
      worker.enqueue('work');
    },
  }));
  for (const { task, dueAt } of timetableOf(day)) moments.push({ at: dueAt, act: () => worker.tick(task) });
  moments.push({ at: sydneyTime(day, '05:00'), act: () => stopAndResumeTenant(play, isCalm) });
  moments.push({ at: sydneyTime(day, '05:00'), act: () => holdAndRelease(play, isCalm) });
  moments.push({ at: sydneyTime(day, '11:00'), act: () => forwardLink(play, isCalm) });
  moments.push({ at: sydneyTime(day, '13:00'), act: () => resumeSuspended(play, day) });
  moments.push({ at: sydneyTime(day, '14:00'), act: () => decideParked(play, isCalm) });
  moments.push({ at: sydneyTime(day, '16:00'), act: () => refundDebit(play, isCalm) });
  moments.push({ at: sydneyTime(day, '23:50'), act: async () => {} });
  return moments.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Audits everything; on the other days the product's nightly audit checks what changed, and an alarm is a violation.
 */
async function auditAll(world: World): Promise<void> {
  const { violations } = await auditBooks(world.admin);
  for (const violation of violations) world.violation(`audit: ${violation}`);
  const { auditKeys, checkpointFile } = world.product().runtime;
  const clock = { now: () => world.clock.peek() };
  const log = await verifyAuditLog({ db: world.admin, clock, auditKeys }, checkpointFile);
  for (const violation of log.violations) world.violation(`audit log: ${violation}`);
  world.count('audit chains verified', log.chains);
}

/** Everything every day of a short run; of a long one what costs much each supporter's week and each seventh day. */
async function checkDay(play: Play, number: number): Promise<void> {
  const { world, oracle, options, report } = play;
  const every = world.supporters.length * options.days <= 1_000 ? 1 : 7;
  if (number % every === 0) await auditAll(world);
  await oracle.learn(world);
  await learnEndedPauses(world, true);
  await oracle.checkRecorded(world);
  await checkDeferrals(world);
  await checkMandates(world);
  await play.unanswered.check(world);
  await play.repayments.check(world);
  await checkForwardedLinks(world);
  await lowerCeilings(world);
  checkUnwantedMails(world);
  for (const supporter of world.supporters) {
    if ((number + supporter.number) % every !== 0) continue;
    await checkSupporter(world, oracle, supporter, every + 14);
  }
  if (number % every === 0) await checkMoney(world, false);
  await importYesterday(world);
  await checkAlarms(world);
  if (number % 10 === 9) await options.database.vacuum();
  options.onDay?.(world.clock.day(), report);
}

/** After the calm days: everything has come to its end, and nothing waits that could have gone. */
export async function checkEnd(play: Play): Promise<void> {
  const { world, worker, oracle, report } = play;
  await worker.receiveNotifications();
  await worker.drain();
  await worker.attempt('settle', ({ runtime }) => pollOutcomes(dependencies(runtime)));
  await worker.attempt('reconcile', ({ runtime }) => reconcilePayments(runtime));
  await play.submissions.check(world);
  await auditAll(world);
  await checkMoney(world, true);
  await play.repayments.check(world);
  await checkNothingParked(world);
  await checkTrustAccount(world);
  await checkMails(world);
  for (const supporter of world.supporters) {
    await checkSupporter(world, oracle, supporter, 10_000);
  }
  await checkNothingOverdue(world);
  const [advices] = await world.everybody<{ missing: number; unsent: number; made: number }[]>`
    select (select count(*) from remittances where submitted_at is not null and not exists (
        select from remittance_advices where remittance_id = remittances.id)) as missing,
      (select count(*) from mails where recipient = 'club' and sent_at is null) as unsent,
      (select count(*) from remittance_advices) as made`;
  if (advices?.missing) world.violation(`${advices.missing} remittances have no advice`);
  if (advices?.unsent) world.violation(`${advices.unsent} remittance advices were not mailed`);
  world.count('remittance advices', advices?.made ?? 0);
  const [debits] = await world.everybody<{ count: number }[]>`select count(*) from debits`;
  report.debits = debits?.count ?? 0;
  if (worker.ends.size > 0) world.count('different places where the program ended', worker.ends.size);
}
