import { type Cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import { bankingDayOnOrAfter } from '@sparechange/domain/banking-calendar';
import { retryPayoutOn } from '@sparechange/domain/failed-payout';
import type { Db } from '#db/connect.ts';
import { recordEvents } from '#features/core/events/record-events.ts';
import { bookingDay } from '#features/core/ledger/booking-day.ts';
import { failureOf, type Payout, type PayoutEnd, type PayoutKind } from '#features/core/payouts/payout-kind.ts';
import { today } from '#ports/clock.ts';

/** A remittance with the club's current bank details. */
export interface Remittance extends Payout {
  payee: string;
  /** Consecutive failures of this money. */
  failures: number;
  bsbEncrypted: Uint8Array;
  accountNumberEncrypted: Uint8Array;
}

/** Payments to clubs; those whose bank details were removed wait. */
export const remittanceKind: PayoutKind<Remittance> = {
  name: 'remittance',
  table: 'remittances',
  columns: (db) => db`
    payout.club_id as "clubId", payout.failures, coalesce(club.account_name, club.name) as payee,
    club.bsb_encrypted as "bsbEncrypted", club.account_number_encrypted as "accountNumberEncrypted"`,
  joins: (db) => db`join clubs club on club.id = payout.club_id`,
  isPayable: (db) => db`club.bsb_encrypted is not null and club.account_number_encrypted is not null`,
  order: (db) => db`payout.run_date, payout.club_id`,
  kept: (db, now) => ({
    columns: db`club.account_number_encrypted`,
    assignments: db`account_number_encrypted = next.account_number_encrypted, due_on = ${bankingDayOnOrAfter(sydneyDay(now))}`,
  }),
  payeeOf: ({ encryption, mailFrom }, { clubId, payee: name, bsbEncrypted, accountNumberEncrypted }) => ({
    name,
    email: clubAddress(mailFrom, clubId),
    bsb: encryption.decrypt(bsbEncrypted, `club ${clubId} bsb`),
    accountNumber: encryption.decrypt(accountNumberEncrypted, `club ${clubId} account number`),
  }),
  /**
   * Books an end. A failed amount is owed to the club again and, unless its bank details are wrong, gets a day for its
   * retry.
   */
  async book(tx, clock, remittance, end, fault) {
    if (end === 'cleared') {
      const { id, clubId, reference, amount } = remittance;
      const data = { payoutId: id, clubId, reference, amountCents: amount };
      await recordEvents(tx, [{ type: 'payout.cleared', about: id, clubId, data, at: clock.now() }]);
    } else {
      const retryOn = retryPayoutOn(failureOf(fault), remittance.failures, today(clock)) ?? null;
      await tx`
        update remittances set failures = failures + 1, retry_on = ${retryOn} where id = ${remittance.id}`;
    }
    await postRemittance(tx, remittance, end, await bookingDay(tx, clock));
  },
};

type ClubAccount = 'collected' | 'adjusted' | 'payable' | 'reserved' | 'in_transit' | 'remitted';

/** Accounts that each end moves the amount between; planning moves it from payable to in_transit. */
const route: Record<PayoutEnd, [from: ClubAccount, to: ClubAccount]> = {
  refused: ['in_transit', 'payable'],
  cleared: ['in_transit', 'remitted'],
  returned: ['in_transit', 'payable'],
  reversed: ['remitted', 'payable'],
};

/** Books an end once; a repetition changes nothing. */
async function postRemittance(
  db: Db,
  { id, clubId, amount }: { id: string; clubId: string; amount: Cents },
  end: PayoutEnd,
  bookedOn: IsoDate,
): Promise<void> {
  const [from, to] = route[end];
  await db`
    insert into club_entries (club_id, kind, source, account, cents, booked_on)
    values (${clubId}, ${end}, ${id}, ${from}, ${amount}, ${bookedOn}), (${clubId}, ${end}, ${id}, ${to}, ${-amount}, ${bookedOn})
    on conflict do nothing`;
}

/**
 * Returns the address given to a payment provider for a club: the operator's own with the first 8 digits of the club's
 * id, so that the provider emails no treasurer.
 */
export function clubAddress(mailFrom: string, clubId: string): string {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  return address.replace('@', `+${clubId.slice(0, 8)}@`);
}
