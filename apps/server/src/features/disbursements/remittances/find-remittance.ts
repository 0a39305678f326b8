import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import type { PayoutState } from '#features/core/payouts/payout-kind.ts';

export interface CoveringRemittance {
  date: IsoDate;
  reference: string;
  state: PayoutState;
  amountCents: Cents;
  plannedAt: Date;
}

/** Returns the remittance that covers a club's day, or the last one that paid a failed one again. */
export async function findRemittance(
  db: Db,
  clubId: string,
  clearedOn: IsoDate,
): Promise<CoveringRemittance | undefined> {
  const [remittance] = await db.inControl()<CoveringRemittance[]>`
    with recursive paid as (
      select * from remittances where club_id = ${clubId} and ${clearedOn}::date between first_day and last_day
      union all
      select again.* from paid join remittances again on again.id = paid.retried_by
    )
    select paid_on as date, reference, state, amount_cents as "amountCents", planned_at as "plannedAt"
    from paid where retried_by is null`;
  return remittance;
}
