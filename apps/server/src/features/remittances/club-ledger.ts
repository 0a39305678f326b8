import type { Cents, IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export type ClubAccount = 'collected' | 'adjusted' | 'payable' | 'reserved' | 'in_transit' | 'remitted';
export type RemittanceStep = 'refused' | 'cleared' | 'returned' | 'reversed';

/** Where a step takes the amount of a remittance from and to; planning takes it from payable to in_transit. */
const route: Record<RemittanceStep, [from: ClubAccount, to: ClubAccount]> = {
  refused: ['in_transit', 'payable'],
  cleared: ['in_transit', 'remitted'],
  returned: ['in_transit', 'payable'],
  reversed: ['remitted', 'payable'],
};

/** Books a remittance's step once; a repetition changes nothing. */
export async function postRemittance(
  db: Db,
  { id, clubId, amount }: { id: string; clubId: string; amount: Cents },
  step: RemittanceStep,
  bookedOn: IsoDate,
): Promise<void> {
  const [from, to] = route[step];
  await db`
    insert into club_entries (club_id, kind, source, account, cents, booked_on)
    values (${clubId}, ${step}, ${id}, ${from}, ${amount}, ${bookedOn}), (${clubId}, ${step}, ${id}, ${to}, ${-amount}, ${bookedOn})
    on conflict do nothing`;
}
