import { type Cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import { paysBack, refundText } from '@sparechange/domain/model';
import { type ExtraPurchase, type SupporterActor, wasKeptBack } from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';
import type { ShownLine, ShownStatement } from './bank-statement.ts';
import type { SyncStatus } from './check-supporter.ts';

interface KnownRow {
  account: string;
  day: IsoDate;
  cents: Cents;
  description: string;
  /** Day of the credit that paid it back. */
  refundedOn: IsoDate | null;
  creditText: string | null;
  /** True if nothing of it was given in the end: it or its debit was dropped, or the debit was reversed or refunded whole. */
  isLost: boolean;
}

const refundable = ({ account, day, cents: amount, text }: ShownLine) => ({
  account,
  day,
  amount,
  text: refundText(text),
});

/** Returns whether a credit made here may be the one shown by the bank. */
const isSameCredit = (made: ExtraPurchase, shown: ShownLine): boolean =>
  made.day === shown.day && made.cents === shown.cents && refundText(made.text) === refundText(shown.text);

/**
 * Each refund comes off the next debit that is planned once it is known, and off no later one. A run may be planned while
 * a statement is being read.
 */
async function checkTakenOff({ everybody, violation }: World, { supporterId, uid }: SupporterActor): Promise<void> {
  const late = await everybody<{ postedOn: IsoDate; cents: Cents; runDate: IsoDate }[]>`
    select refund.posted_on as "postedOn", refund.cents, missed.run_date as "runDate"
    from purchase_refunds refund left join debits taken on taken.supporter_id = refund.supporter_id and taken.id = refund.taken_off_by
    join debits missed on missed.supporter_id = refund.supporter_id and missed.kind = 'round-up'
      and missed.planned_at > refund.recorded_at + interval '1 hour'
      and missed.planned_at < coalesce(taken.planned_at, 'infinity')
    where refund.supporter_id = ${supporterId} and refund.cents > 0`;
  for (const { postedOn, cents, runDate } of late)
    violation(`${uid}: the refund of ${postedOn} did not take its ${cents} off the debit of ${runDate}`);
}

/**
 * Checks the product's refunds against the bank's credits: each has a credit of its own that fits by the rule, none is
 * left over beside a purchase it pays back, and the round-up comes off the next debit.
 */
export async function checkPurchaseRefunds(
  world: World,
  supporter: SupporterActor,
  syncStatus: SyncStatus,
  earliest: IsoDate,
  { credits: shown }: ShownStatement,
): Promise<void> {
  const { everybody } = world;
  const { syncedAt, roundsFrom } = syncStatus;
  if (!syncedAt || !syncStatus.isActive || !roundsFrom) return;
  const known = await everybody<KnownRow[]>`
    select account.provider_account_id as account, purchase.posted_on as day, purchase_cents as cents, purchase.description,
      refund.posted_on as "refundedOn", refund.description as "creditText",
      exists (
        with recursive asked as (
          select * from debits where supporter_id = purchase.supporter_id and purchase.seq between first_seq and last_seq
          union all
          select again.* from asked join debits again
            on again.supporter_id = purchase.supporter_id and again.id = asked.represented_by
        )
        select from asked where state = 'reversed' or dropped_on is not null or amount_cents <= (
          select sum(repaid.amount_cents) from repayments repaid
          where repaid.supporter_id = asked.supporter_id and repaid.debit_id = asked.id))
      or purchase.seq <= (select max(through_seq) from campaign_drops gone where gone.supporter_id = purchase.supporter_id)
        and not exists (select from debits where debits.supporter_id = purchase.supporter_id
          and purchase.seq between first_seq and last_seq) as "isLost"
    from round_ups purchase
    join accounts account on account.supporter_id = purchase.supporter_id and account.id = purchase.account_id
    left join purchase_refunds refund on refund.supporter_id = purchase.supporter_id and refund.round_up_seq = purchase.seq
    where purchase.supporter_id = ${supporter.supporterId}`;
  const rows: KnownRow[] = [];
  for (const row of known) rows.push({ ...row, account: await world.accountNumbers.of(supporter, row.account) });
  const open = [...shown];
  for (const row of rows) {
    if (row.refundedOn === null || row.refundedOn < earliest) continue;
    const { account, cents: amount, refundedOn, creditText } = row;
    const text = refundText(creditText ?? '');
    const place = open.findIndex(
      (credit) =>
        credit.account === account &&
        credit.day === refundedOn &&
        credit.cents === amount &&
        refundText(credit.text) === text,
    );
    if (place < 0) world.violation(`${supporter.uid}: no credit of ${amount} on ${refundedOn} pays the purchase back`);
    else open.splice(place, 1);
    const credit = { account, day: refundedOn, amount, text };
    if (!paysBack(credit, refundable({ ...row, text: row.description })))
      world.violation(
        `${supporter.uid}: "${creditText}" of ${refundedOn} is no refund of "${row.description}" of ${row.day}`,
      );
    world.count('refunds compared');
  }
  await checkTakenOff(world, supporter);
  const unpaid = rows
    .filter(({ refundedOn, isLost }) => refundedOn === null && !isLost)
    .map((row) => refundable({ ...row, text: row.description }));
  for (const credit of open) {
    if (credit.day >= sydneyDay(syncedAt)) continue; // it may have been shown since
    if (wasKeptBack(supporter, credit.day, syncedAt)) continue;
    if (credit.day < roundsFrom) continue; // nothing from before a consent after a withdrawal is looked at
    if (supporter.credits.some((late) => late.at > syncedAt && isSameCredit(late, credit))) continue;
    if (unpaid.some((purchase) => paysBack(refundable(credit), purchase))) {
      world.violation(
        `${supporter.uid}: a credit of ${credit.cents} on ${credit.day} took nothing off, though asked for since`,
      );
    }
  }
}
