import type { Db, Pool } from '#db/connect.ts';
import { inTurn } from '#db/in-each-bucket.ts';
import { Turns } from '#db/turns.ts';
import { runningCampaigns } from '#features/beneficiaries/clubs/campaigns.ts';
import { legsOf, postTransfer } from '#features/core/ledger/post.ts';
import { mailRefusedDonation } from '#features/correspondence/emails/queue-debit-emails.ts';
import { type Clock, today } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { type Debit, moveDebit } from './debit-repository.ts';
import { campaignHasEnded } from './drop-after-campaign-end.ts';

export type PlannedDebit = Pick<Debit, 'supporterId' | 'id' | 'clubId' | 'kind' | 'amount' | 'savings'>;

/** Refuses a debit that was never submitted; returns whether it still was planned. */
export async function refusePlanned(tx: Db, clock: Clock, debit: PlannedDebit, refusal: string): Promise<boolean> {
  if (!(await moveDebit(tx, debit, ['planned'], 'refused', { at: clock.now(), refusal }))) return false;
  const { supporterId, id: source, clubId } = debit;
  const transfer = { supporterId, source, clubId, bookedOn: today(clock) };
  await postTransfer(tx, { ...transfer, kind: 'refused', legs: legsOf.refused(debit) });
  return true;
}

/** Maximum number of donations read in a bucket's turn. */
const maxAtOnce = 1_000;

/**
 * Refuses donations not submitted before a campaign ended, and emails their donors (docs/rules.md#end-of-a-campaign).
 * If that fails in a bucket, nothing is submitted from it.
 */
export async function refuseDonationsAfterCampaignEnd({
  db,
  clock,
  tenants,
}: {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}): Promise<Turns<Pool>> {
  const running = await runningCampaigns(db, tenants, today(clock));
  const buckets = new Turns(db.inBuckets());
  await buckets.take(async (bucket) => {
    const ended = await bucket<PlannedDebit[]>`
      select gift.supporter_id as "supporterId", gift.id, gift.club_id as "clubId", kind, amount_cents as amount,
        savings_cents as savings
      from debits gift join supporters supporter using (supporter_id)
      where state = 'planned' and kind = 'donation' and ${campaignHasEnded(bucket, running)} limit ${maxAtOnce}`;
    await inTurn(ended, (gift) =>
      bucket.begin(async (tx) => {
        if (await refusePlanned(tx, clock, gift, 'the campaign has ended'))
          await mailRefusedDonation(tx, clock.now(), gift);
      }),
    );
    return ended.length === maxAtOnce; // the rest in its next turn, before anything is submitted
  });
  return buckets;
}
