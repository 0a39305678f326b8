import { type Cents, checkBalance, type IsoDate, maxDeferrals, sydneyDay, type WaitReason } from '@sparechange/domain';
import { isPausedAt, type SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';

interface HandledDebit {
  supporterId: string;
  id: string;
  kind: 'round-up' | 'donation';
  amount: Cents;
  /** When it was taken to be submitted, or made to wait. */
  at: Date;
  waitedBecause: WaitReason | null;
  /** When the debit before it was made to wait because its balance could not be read; null where it was not. */
  unreadAt: Date | null;
  /** The bank link's id of the account. */
  account: string | null;
}

/**
 * Checks every debit that was submitted or deferred, at the moment it was: a supporter who stopped, left or paused is
 * asked for nothing, and the balance check decided by what the bank had reported.
 */
export class SubmissionOracle {
  private checkedAt = new Date(0);

  async check(world: World): Promise<void> {
    const debits = await world.admin<HandledDebit[]>`
      select debit.supporter_id as "supporterId", debit.id, debit.kind, amount_cents as amount,
        coalesce(submitting_at, settled_at) as at, waited_because as "waitedBecause", (
          select case before.waited_because when 'not readable' then before.settled_at end from debits before
          where before.supporter_id = debit.supporter_id and before.kind = 'round-up' and before.run_date < debit.run_date
          order by before.run_date desc limit 1) as "unreadAt", account.provider_account_id as account
      from debits debit
      join debit_authorities authority on authority.supporter_id = debit.supporter_id and authority.id = debit.authority_id
      left join accounts account on account.supporter_id = debit.supporter_id and account.id = authority.account_id
      where submitting_at > ${this.checkedAt} or (state = 'waited' and settled_at > ${this.checkedAt})`;
    this.checkedAt = world.clock.peek();
    for (const debit of debits) {
      const supporter = world.supporters.find(({ supporterId }) => supporterId === debit.supporterId);
      const isAlone = debits.filter(({ account }) => account === debit.account).length === 1;
      if (!supporter) world.violation(`debit ${debit.id} is nobody's`);
      else this.checkDebit(world, supporter, debit, isAlone);
    }
    world.balances.forget();
  }

  /** Checks one debit. Of several of one account at the same time nobody knows which answer was for which. */
  private checkDebit(world: World, supporter: SupporterActor, debit: HandledDebit, isAlone: boolean): void {
    const { id, at, waitedBecause } = debit;
    const wrong = (what: string) => world.violation(`${supporter.uid} debit ${id} of ${debit.amount} cents: ${what}`);
    if (waitedBecause === null) {
      const reason = reasonNotDebitable(supporter, debit);
      if (reason) wrong(`was submitted although ${reason}`);
    }
    if (debit.kind === 'donation') return;
    const reported = debit.account ? world.balances.before(debit.account, at) : [];
    const balances = isAlone ? [reported[0]] : [...reported, undefined];
    const began = world.balances.workOf(at);
    const wasUnread = debit.unreadAt !== null && began !== undefined && debit.unreadAt < began;
    const allowed = [...supporter.floors].flatMap((floor) =>
      balances.map((balance) => checkBalance({ ...debit, floor, balance, wasUnread })),
    );
    const done = waitedBecause ?? 'goes';
    if (!allowed.includes(done))
      wrong(`${done}, though with a balance of ${balances.join(' or ')} it is ${allowed.join(' or ')}`);
    world.count(waitedBecause ? `debits deferred: ${waitedBecause}` : 'debits passed by the balance check');
  }
}

/** Why somebody may not be asked for money at that moment, by the answers they had. */
function reasonNotDebitable(supporter: SupporterActor, { kind, at }: HandledDebit): string | undefined {
  if (supporter.stoppedAt && supporter.stoppedAt < at) return 'debits were stopped';
  if (supporter.withdrawnAt && supporter.withdrawnAt < at) return 'the consent was withdrawn here';
  if (supporter.heldAt && supporter.heldAt < at) return 'an operator holds their debits';
  if (kind === 'round-up' && isPausedAt(supporter, at)) return 'round-ups are paused';
  return undefined;
}

interface FailedDebit {
  supporterId: string;
  id: string;
  state: 'waited' | 'returned' | 'refused';
  repeatedBy: string | null;
  repeatPlannedAt: Date | null;
  runDate: IsoDate;
  plannedAt: Date;
  settledAt: Date;
  droppedOn: IsoDate | null;
  /** Cents of its amount that were not released to be asked for by themselves. */
  own: number;
  /** Cents of earlier debits that it asked for again. */
  repeats: number;
}

/** Checks that what was deferred in three runs is dropped with the third, and not before. */
export async function checkDeferrals(world: World): Promise<void> {
  const failed = await world.admin<FailedDebit[]>`
    select failed.supporter_id as "supporterId", failed.id, failed.state, failed.repeated_by as "repeatedBy",
      repeater.planned_at as "repeatPlannedAt", failed.run_date as "runDate", failed.planned_at as "plannedAt",
      failed.settled_at as "settledAt", failed.dropped_on as "droppedOn", failed.amount_cents - failed.released_cents as own,
      failed.repeats_cents as repeats
    from debits failed
    left join debits repeater on repeater.supporter_id = failed.supporter_id and repeater.id = failed.repeated_by
    where failed.kind = 'round-up' and failed.state in ('waited', 'returned', 'refused')`;
  const bySupporter = Map.groupBy(failed, ({ supporterId }) => supporterId);
  for (const supporter of world.supporters) {
    const debits = bySupporter.get(supporter.supporterId) ?? [];
    for (const debit of debits) {
      if (debit.repeatedBy !== null || debit.own <= 0) continue;
      const { id, droppedOn } = debit;
      const { deferrals, at } = deferralsOf(debits, debit);
      const isOver = deferrals >= maxDeferrals;
      if (isOver && droppedOn === null)
        world.violation(`${supporter.uid} debit ${id} was deferred in ${deferrals} runs and is not dropped`);
      if (droppedOn !== null && supporter.deletedAt === undefined && !(isOver && droppedOn === sydneyDay(at)))
        world.violation(
          `${supporter.uid} debit ${id}, dropped on ${droppedOn}, was deferred in ${deferrals} runs until ${at.toISOString()}`,
        );
    }
  }
}

/** Returns whether a later debit asked for a failed one again: under a ceiling it takes the oldest that fit. */
function asksAgain(debits: FailedDebit[], later: FailedDebit, debit: FailedDebit): boolean {
  const place = ({ runDate, id }: FailedDebit) => `${runDate} ${id}`;
  const isFree = (part: FailedDebit) =>
    part.id !== later.id &&
    part.settledAt <= later.plannedAt &&
    (part.repeatPlannedAt === null || part.repeatPlannedAt >= later.plannedAt) &&
    (part.droppedOn === null || part.droppedOn >= later.runDate);
  const upToIt = debits.filter((part) => isFree(part) && place(part) <= place(debit));
  return upToIt.reduce((sum, { own }) => sum + own, 0) <= later.repeats;
}

/**
 * Returns the deferrals of a debit since it failed, up to the debit that repeated it or to the limit. Each run asks for
 * all that is free and fits under the ceiling, and a deferred debit releases what it repeated. While a tenant is suspended several are planned,
 * and the first holds it until it is deferred. One that could not be taken apart has been deferred as often as its
 * oldest part.
 */
function deferralsOf(debits: FailedDebit[], debit: FailedDebit, until?: Date): { deferrals: number; at: Date } {
  const { id, state } = debit;
  const parts = state === 'waited' ? debits.filter(({ repeatedBy }) => repeatedBy === id) : [];
  const ofParts = Math.max(0, ...parts.map((part) => deferralsOf(debits, part, debit.plannedAt).deferrals));
  let deferrals = ofParts + (state === 'waited' ? 1 : 0);
  let at = debit.settledAt;
  const later = debits
    .filter((other) => other.state === 'waited' && other.id !== id)
    .filter(({ plannedAt }) => until === undefined || plannedAt < until)
    .sort((one, other) => one.plannedAt.getTime() - other.plannedAt.getTime());
  for (const other of later) {
    if (deferrals >= maxDeferrals) break;
    if (other.plannedAt <= at || !asksAgain(debits, other, debit)) continue;
    deferrals += 1;
    at = other.settledAt;
  }
  return { deferrals, at };
}
