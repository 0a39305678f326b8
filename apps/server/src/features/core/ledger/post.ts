import { type Cents, type IsoDate, negate, noCents, subtract, total } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export type LedgerAccount =
  | 'pledged'
  | 'in_flight'
  | 'cash'
  | 'promised'
  | 'club_payable'
  | 'savings_payable'
  | 'savings_depositing'
  | 'savings_deposited'
  | 'savings_recoverable'
  | 'repaying'
  | 'repaid'
  | 'receivable_from_payer';
export type TransferKind =
  | 'recorded'
  | 'donation'
  | 'submitted'
  | 'cleared'
  | 'returned'
  | 'reversed'
  | 'refused'
  | 'dropped'
  | 'refunded'
  | 'deposit_planned'
  | 'deposit_refused'
  | 'deposit_cleared'
  | 'deposit_returned'
  | 'deposit_reversed'
  | 'repayment_planned'
  | 'repayment_refused'
  | 'repayment_cleared'
  | 'repayment_returned'
  | 'repayment_reversed';

/** Positive is a debit, negative a credit. */
export type Legs = Partial<Record<LedgerAccount, Cents>>;

export interface Transfer {
  supporterId: string;
  kind: TransferKind;
  /**
   * Id of the transfer's cause: a debit, a payout, a batch of round-ups or a deletion. Each kind is posted once per
   * cause.
   */
  source: string;
  clubId: string;
  bookedOn: IsoDate;
  legs: Legs;
}

/** Posts a transfer once; posting it again changes nothing. Throws when its legs do not sum to zero. */
export const postTransfer = (db: Db, transfer: Transfer): Promise<void> => postTransfers(db, [transfer]);

/** Posts transfers in one statement, each once; throws on unbalanced legs. */
export async function postTransfers(db: Db, transfers: Transfer[]): Promise<void> {
  await db`${insertion(db, transfers)} on conflict do nothing`;
}

/**
 * Posts transfers whose cause was locked and has just moved, so that none was posted before; throws if one was, and on
 * unbalanced legs. A row that may meet another is written in two steps, which costs a sixth of booking an outcome.
 */
export async function postNewTransfers(db: Db, transfers: Transfer[]): Promise<void> {
  await insertion(db, transfers);
}

/** Composes the insertion of the transfers' entries, with a value for each leg only where legs differ. */
function insertion(db: Db, transfers: Transfer[]) {
  const legs = transfers.flatMap((transfer, at) => legsIn(transfer).map((leg) => ({ ...leg, nr: at + 1 })));
  return db`
    insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
    select transfer.supporter_id, transfer.kind, transfer.source, leg.account, leg.cents, transfer.club_id, transfer.booked_on
    from unnest(${transfers.map((each) => each.supporterId)}::uuid[], ${transfers.map((each) => each.kind)}::transfer_kind[],
      ${transfers.map((each) => each.source)}::uuid[], ${transfers.map((each) => each.clubId)}::uuid[],
      ${transfers.map((each) => each.bookedOn)}::date[])
      with ordinality as transfer (supporter_id, kind, source, club_id, booked_on, nr)
    join unnest(${legs.map(({ nr }) => nr)}::bigint[], ${legs.map(({ account }) => account)}::ledger_account[],
      ${legs.map(({ cents }) => cents)}::bigint[]) as leg (nr, account, cents) using (nr)`;
}

/** Returns the legs that move something. Throws where they do not sum to zero. */
function legsIn({ legs, kind, source }: Transfer) {
  const moving = Object.entries(legs).filter(([, amount]) => amount !== 0);
  const sum = total(Object.values(legs));
  if (sum !== 0) throw new Error(`A ${kind} transfer of ${source} does not sum to zero but to ${sum}`);
  return moving.map(([account, cents]) => ({ account, cents }));
}

export interface DebitAmounts {
  amount: Cents;
  savings: Cents;
  /** A failed donation is not re-presented and no longer promised. */
  kind: 'round-up' | 'donation';
}

/** Ledger legs per debit step (docs/rules.md#double-entry). */
export const legsOf = {
  donation: ({ amount }: DebitAmounts): Legs => ({ pledged: amount, promised: negate(amount) }),
  submitted: ({ amount }: DebitAmounts): Legs => ({ in_flight: amount, pledged: negate(amount) }),
  cleared: ({ amount, savings }: DebitAmounts): Legs => ({
    cash: amount,
    in_flight: negate(amount),
    promised: amount,
    club_payable: subtract(savings, amount),
    savings_payable: negate(savings),
  }),
  returned: ({ amount, kind }: DebitAmounts): Legs =>
    kind === 'round-up'
      ? { pledged: amount, in_flight: negate(amount) }
      : { promised: amount, in_flight: negate(amount) },
  refused: ({ amount, kind }: DebitAmounts): Legs =>
    kind === 'round-up' ? {} : { promised: amount, pledged: negate(amount) },
  /** Pledged money that will not be debited: bank data deleted, or deferred too often. */
  dropped: (amount: Cents): Legs => ({ promised: amount, pledged: negate(amount) }),
  /**
   * Treats a part repaid before the bank reversed the debit as the payer's debt; the club and the set-aside bear the
   * rest.
   */
  reversed: (
    { amount, savings }: Omit<DebitAmounts, 'kind'>,
    repaid = { amount: noCents, savings: noCents },
  ): Legs => ({
    cash: negate(amount),
    club_payable: subtract(subtract(amount, savings), subtract(repaid.amount, repaid.savings)),
    savings_payable: subtract(savings, repaid.savings),
    receivable_from_payer: repaid.amount,
  }),
} as const;
