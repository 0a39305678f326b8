import { type Cents, cents } from '@sparechange/domain';
import { isDebited } from '@sparechange/domain/model';
import type { World } from '../world.ts';

interface WaitingSupporter {
  tenantKey: string;
  hasConsent: boolean;
  isPaused: boolean;
  /** Pledged, without the round-ups that may still wait for a run. */
  due: Cents;
  refunds: Cents;
  /** Number of counted round-ups that no debit took within the time. */
  roundUps: number;
  /** Number of failed debits that were not asked for again within the time. */
  failed: number;
}

/** Within so long a run has taken all that a supporter who can be debited is asked for. */
const takenWithinMs = 6 * 86_400_000;

/** Checks at the end that no money of a supporter waits that the rules would debit. */
export async function checkNothingOverdue(world: World): Promise<void> {
  const before = new Date(world.clock.peek().getTime() - takenWithinMs);
  const supporters = await world.everybody<WaitingSupporter[]>`
    with uncovered as (
      select supporter_id, recorded_at, counted_cents from round_ups
      where seq > (select coalesce(max(last_seq), 0) from debits where debits.supporter_id = round_ups.supporter_id)
    )
    select tenant_key as "tenantKey", consent_active and closed_on is null as "hasConsent", exists (
        select from pauses where pauses.supporter_id = supporters.supporter_id and resumed_on is null) as "isPaused",
      coalesce((select cents from ledger_balances balance
        where balance.supporter_id = supporters.supporter_id and account = 'pledged'), 0)
        - coalesce((select sum(counted_cents) from uncovered
        where uncovered.supporter_id = supporters.supporter_id and recorded_at >= ${before}), 0)::bigint as due,
      coalesce((select sum(cents) from purchase_refunds
        where purchase_refunds.supporter_id = supporters.supporter_id and taken_off_by is null), 0)::bigint as refunds,
      (select count(*) from uncovered where uncovered.supporter_id = supporters.supporter_id
        and recorded_at < ${before} and counted_cents > 0) as "roundUps",
      (select count(*) from debits where debits.supporter_id = supporters.supporter_id and kind = 'round-up'
        and state in ('returned', 'refused', 'deferred') and amount_cents > released_cents and represented_by is null
        and dropped_on is null and outcome_at < ${before}) as failed
    from supporters`;
  const tenants = world.product().runtime.tenants;
  const able = supporters.filter(({ tenantKey, due, refunds, hasConsent, isPaused }) => {
    const tenant = tenants.byKey(tenantKey);
    if (!tenant) return false;
    return isDebited({
      waiting: [due],
      represented: [],
      refunds,
      hasConsent,
      isPaused,
      minimum: tenant.minimumDebitCents,
      ceiling: cents(Number.MAX_SAFE_INTEGER),
      ...unhindered,
    });
  });
  const sum = (what: 'roundUps' | 'failed') => able.reduce((so, each) => so + each[what], 0);
  if (sum('roundUps') > 0) world.violation(`${sum('roundUps')} round-ups wait for longer than they should`);
  if (sum('failed') > 0) world.violation(`${sum('failed')} failed debits were not asked for again`);
}

/** By the end of a simulation operators have released what they held. */
const unhindered = {
  isPlanned: false,
  isSkipped: false,
  isOnHold: false,
  hasParkedDebit: false,
  hasCampaignEnded: false,
  isTenantSuspended: false,
};
