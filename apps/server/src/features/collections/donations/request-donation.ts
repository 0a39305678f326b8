import { type Cents, cents, formatCents } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotAllowed } from '#errors.ts';
import { campaignEnd } from '#features/beneficiaries/clubs/campaigns.ts';
import { findHold } from '#features/collections/debits/hold-supporter.ts';
import { refuseDonationsAfterCampaignEnd } from '#features/collections/debits/refuse-planned.ts';
import { type SubmitDeps, type Submitted, submitDebits } from '#features/collections/debits/submit-debits.ts';
import { findSuspension } from '#features/collections/debits/suspended-runs.ts';
import { isInEffect, isUsableFunding } from '#features/core/debiting/conditions.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { type Clock, today } from '#ports/clock.ts';
import { isOver } from '#tenants/campaign-end.ts';
import type { Tenants } from '#tenants/load-tenants.ts';

/** Period during which a one-off donation is not submitted, and so can be undone (docs/rules.md#one-off-donation). */
export const undoableForMs = 600_000;

/**
 * Plans the debit of a one-off donation, once per request id (docs/rules.md#one-off-donation). The same id with another
 * amount is refused.
 */
export async function requestDonation(
  pool: Pool,
  clock: Clock,
  tenants: Tenants,
  supporterId: string,
  gift: { amount: Cents; requestId: string; heldForMs?: number },
): Promise<'planned' | 'already planned'> {
  const supporter = await getSupporter(pool, supporterId);
  const day = today(clock);
  const end = await campaignEnd(pool, tenants, supporter);
  if (!tenants.byKey(supporter.tenantKey) || isOver(end, day))
    throw new NotAllowed('This campaign has ended.', 'campaign-ended');
  return pool.begin(async (tx) => {
    const [consenting] = await tx`
      select from supporters where supporter_id = ${supporterId} and consent_active for no key update`;
    const [known] = await tx<{ amount: Cents }[]>`
      select amount_cents as amount from debits where supporter_id = ${supporterId} and request_id = ${gift.requestId}`;
    if (known && known.amount !== gift.amount) throw usedBefore(known.amount);
    if (known) return 'already planned';
    const [mandate] = await tx<{ id: string }[]>`
      select mandate.id from mandates mandate
      join accounts on accounts.supporter_id = mandate.supporter_id and accounts.id = mandate.account_id
      where mandate.supporter_id = ${supporterId} and ${isUsableFunding(tx)}
        and ${isInEffect(tx, 'mandate')}
      order by agreed_at desc limit 1`;
    if (await findHold(tx, supporterId)) throw new Conflict('Your debits are on hold, contact support.');
    if (!mandate || !consenting) throw new Conflict('A bank connection and a funding account come first.');
    const now = clock.now();
    const [{ id } = { id: '' }] = await tx<{ id: string }[]>`
      with named as (select uuidv7() as id)
      insert into debits (supporter_id, id, run_date, kind, attempt, club_id, amount_cents, savings_cents, mandate_id,
        reference, request_id, planned_at, held_until)
      select ${supporterId}, id, ${day}, 'donation', 1 + earlier, ${supporter.clubId}, ${gift.amount}, 0, ${mandate.id},
        debit_reference(id), ${gift.requestId}, ${now}, ${new Date(now.getTime() + (gift.heldForMs ?? 0))}
      from named, (select count(*) as earlier from debits
        where supporter_id = ${supporterId} and run_date = ${day} and kind = 'donation') as counted
      returning id`;
    const legs = legsOf.donation({ amount: gift.amount, savings: cents(0), kind: 'donation' });
    await postTransfer(tx, {
      supporterId,
      kind: 'donation',
      source: id,
      clubId: supporter.clubId,
      bookedOn: day,
      legs,
    });
    return 'planned';
  });
}

/** Refuses a different amount by naming the one received already, whose answer the donor may not have seen. */
const usedBefore = (amount: Cents): InvalidInput =>
  new InvalidInput('That request id has been used for another amount.', {
    'values.amount': `Your donation of ${formatCents(amount)} was received. Press Cancel to undo it or to give more`,
  });

/**
 * Submits one-off donations not yet at the provider, on any day; round-ups wait for their debit days
 * (docs/decisions/payments.md#unanswered-payments). While debiting is suspended they wait; donations left by an
 * interrupted submission go with the next one.
 */
export async function submitDonations(deps: SubmitDeps & { tenants: Tenants }): Promise<Submitted | undefined> {
  const buckets = await refuseDonationsAfterCampaignEnd(deps);
  const isSuspended = await findSuspension(deps.db);
  const submitted = isSuspended ? undefined : await submitDebits(deps, { kinds: ['donation'], buckets: buckets.left });
  buckets.throwFailures();
  return submitted;
}
