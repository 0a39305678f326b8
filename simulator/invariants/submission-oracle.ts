import { type Cents, type DeferralReason, noCents } from '@sparechange/domain';
import { balanceVerdict, debitIneligibility } from '@sparechange/domain/model';
import { isPausedAt, type SupporterActor } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';

interface HandledDebit {
  supporterId: string;
  id: string;
  kind: 'round-up' | 'donation';
  amount: Cents;
  /** When it was taken for submission, or made to wait. */
  at: Date;
  deferredBecause: DeferralReason | null;
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
    const debits = await world.everybody<HandledDebit[]>`
      select debit.supporter_id as "supporterId", debit.id, debit.kind, amount_cents as amount,
        coalesce(submitting_at, outcome_at) as at, deferred_because as "deferredBecause", (
          select case before.deferred_because when 'not readable' then before.outcome_at end from debits before
          where before.supporter_id = debit.supporter_id and before.kind = 'round-up' and before.run_date < debit.run_date
          order by before.run_date desc limit 1) as "unreadAt", account.provider_account_id as account
      from debits debit
      join mandates mandate on mandate.supporter_id = debit.supporter_id and mandate.id = debit.mandate_id
      left join accounts account on account.supporter_id = debit.supporter_id and account.id = mandate.account_id
      where submitting_at > ${this.checkedAt} or (state = 'deferred' and outcome_at > ${this.checkedAt})`;
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
    const { id, at, deferredBecause } = debit;
    const wrong = (what: string) => world.violation(`${supporter.uid} debit ${id} of ${debit.amount} cents: ${what}`);
    if (deferredBecause === null) {
      const reason = reasonNotDebitable(supporter, debit);
      if (reason) wrong(`was submitted although ${reason}`);
    }
    if (debit.kind === 'donation') return;
    const reported = debit.account ? world.balances.before(debit.account, at) : [];
    const balances = isAlone ? [reported[0]] : [...reported, undefined];
    const began = world.balances.workOf(at);
    const wasUnread = debit.unreadAt !== null && began !== undefined && debit.unreadAt < began;
    const allowed = [...supporter.floors].flatMap((floor) =>
      balances.map((balance) => balanceVerdict({ ...debit, floor, balance, wasUnread })),
    );
    const done = deferredBecause ?? 'goes';
    if (!allowed.includes(done))
      wrong(`${done}, though with a balance of ${balances.join(' or ')} it is ${allowed.join(' or ')}`);
    world.count(deferredBecause ? `debits deferred: ${deferredBecause}` : 'debits passed by the balance check');
  }
}

/**
 * Returns why somebody may not be asked for money at that moment, by the answers they had. A gift is asked for during a
 * pause.
 */
function reasonNotDebitable(supporter: SupporterActor, { kind, amount, at }: HandledDebit): string | undefined {
  const was = (since: Date | undefined) => since !== undefined && since < at;
  return debitIneligibility({
    waiting: [amount],
    represented: [],
    refunds: noCents,
    minimum: noCents,
    ceiling: was(supporter.stoppedAt) ? undefined : amount,
    hasConsent: !was(supporter.withdrawnAt),
    isOnHold: was(supporter.heldAt),
    isPaused: kind === 'round-up' && isPausedAt(supporter, at),
    isPlanned: false,
    isSkipped: false,
    hasParkedDebit: false,
    hasCampaignEnded: false,
    isTenantSuspended: false,
  });
}
