import { type Cents, type IsoDate, isPayableNumber, type Month, noCents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { repaidCents } from '#features/core/ledger/pending-payments.ts';
import { setAsideAfter } from './set-aside.ts';

export async function saveSavingsEnabled(db: Db, supporterId: string, isOn: boolean): Promise<void> {
  await db`update supporters set savings_enabled = ${isOn} where supporter_id = ${supporterId}`;
}

export interface LinkedSavings {
  accountName: string;
  maskedNumber: string;
  bsbEncrypted: Uint8Array;
  accountNumberEncrypted: Uint8Array;
  linkedAt: Date;
  /** First day it receives deposits, if it replaces another account. */
  receivesFrom: IsoDate | null;
}

export type KeptSavings = Pick<LinkedSavings, 'accountName' | 'bsbEncrypted' | 'accountNumberEncrypted'> & {
  /** True once banks have refused it for its details. */
  isRefused: boolean;
};

/** Locks and returns the linked account, if there is one. */
export async function lockLinkedSavings(tx: Db, supporterId: string): Promise<KeptSavings | undefined> {
  const [kept] = await tx<KeptSavings[]>`
    select account_name as "accountName", bsb_encrypted as "bsbEncrypted", account_number_encrypted as "accountNumberEncrypted",
      refused_at is not null as "isRefused"
    from savings_accounts where supporter_id = ${supporterId} for update`;
  return kept;
}

/** Saves the linked account; returns whether it replaced another one. */
export async function saveSavingsAccount(db: Db, supporterId: string, account: LinkedSavings): Promise<boolean> {
  const [saved] = await db<{ isReplaced: boolean }[]>`
    insert into savings_accounts (supporter_id, account_name, masked_number, bsb_encrypted, account_number_encrypted, linked_at)
    values (${supporterId}, ${account.accountName}, ${account.maskedNumber}, ${account.bsbEncrypted},
      ${account.accountNumberEncrypted}, ${account.linkedAt})
    on conflict (supporter_id) do update set account_name = excluded.account_name,
      masked_number = excluded.masked_number, bsb_encrypted = excluded.bsb_encrypted,
      account_number_encrypted = excluded.account_number_encrypted, linked_at = excluded.linked_at,
      receives_from = ${account.receivesFrom}::date, refused_at = null
    returning old.supporter_id is not null as "isReplaced"`;
  return saved?.isReplaced ?? false;
}

export interface ShownSavings {
  accountName: string;
  accountNumber: string;
  /** A future day, while it waits after a change. */
  receivesFrom: IsoDate | null;
  problem: SavingsProblem | null;
}

/** Reason why a linked account receives nothing. */
export type SavingsProblem = 'account_refused' | 'number_too_long';

/** Returns why an account receives nothing: a bad number is known immediately, other faults by a refused deposit. */
function savingsProblem(isRefused: boolean, maskedNumber: string): SavingsProblem | null {
  if (!isPayableNumber(maskedNumber)) return 'number_too_long';
  return isRefused ? 'account_refused' : null;
}

/** Returns the displayable facts of the linked account. */
export async function findSavingsAccount(db: Db, supporterId: string, day: IsoDate): Promise<ShownSavings | undefined> {
  const [account] = await db<(Omit<ShownSavings, 'problem'> & { isRefused: boolean })[]>`
    select account_name as "accountName", masked_number as "accountNumber",
      case when receives_from > ${day} then receives_from end as "receivesFrom", refused_at is not null as "isRefused"
    from savings_accounts where supporter_id = ${supporterId}`;
  if (!account) return undefined;
  const { isRefused, ...shown } = account;
  return { ...shown, problem: savingsProblem(isRefused, shown.accountNumber) };
}

/**
 * Marks the account that a deposit went to as refused, unless it was changed since; returns whether it did. Repeating
 * it does nothing.
 */
export async function markAccountRefused(
  db: Db,
  { supporterId, id }: { supporterId: string; id: string },
  at: Date,
): Promise<boolean> {
  const marked = await db`
    update savings_accounts savings set refused_at = ${at} from deposits deposit
    where savings.supporter_id = ${supporterId} and deposit.supporter_id = ${supporterId} and deposit.id = ${id}
      and savings.linked_at = deposit.account_linked_at and savings.refused_at is null`;
  return marked.count === 1;
}

export interface SplitOfDebits {
  clubCents: Cents;
  savingsCents: Cents;
  /** Set aside for the deposit of that month. */
  setAsideCents: Cents;
}

/**
 * Splits the amounts submitted, not returned and not refunded from a day on (docs/rules.md#savings-half), and returns
 * the deposit of a month at present: the set-aside, less amounts cleared after it.
 */
export async function splitOfDebits(db: Db, supporterId: string, from: IsoDate, month: Month): Promise<SplitOfDebits> {
  const [split] = await db<SplitOfDebits[]>`
    with later as (${setAsideAfter(db, month, supporterId)})
    select coalesce(sum(amount_cents - savings_cents - ${repaidCents(db)}), 0)::bigint as "clubCents",
      coalesce(sum(savings_cents - ${repaidCents(db, 'savings')}), 0)::bigint as "savingsCents",
      greatest(0, coalesce((select cents from ledger_balances
          where supporter_id = ${supporterId} and account = 'savings_payable'), 0)
        - coalesce((select cents from later), 0))::bigint as "setAsideCents"
    from debits where supporter_id = ${supporterId} and state in ('submitted', 'cleared') and run_date >= ${from}`;
  return split ?? { clubCents: noCents, savingsCents: noCents, setAsideCents: noCents };
}
