import { type IsoDate, lastDayOf, type Month } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';

export async function saveSavingsEnabled(db: Db, supporterId: string, isOn: boolean): Promise<void> {
  await db`update supporters set savings_enabled = ${isOn} where supporter_id = ${supporterId}`;
}

export interface LinkedSavings {
  accountName: string;
  maskedNumber: string;
  bsbSealed: Uint8Array;
  accountNumberSealed: Uint8Array;
  linkedAt: Date;
  /** Before this day it receives nothing, where it replaces another one. */
  receivesFrom: IsoDate | null;
}

/** Saves the linked account; says whether it replaced another one. */
export async function saveSavingsAccount(db: Db, supporterId: string, account: LinkedSavings): Promise<boolean> {
  const [saved] = await db<{ isReplaced: boolean }[]>`
    insert into savings_accounts (supporter_id, account_name, masked_number, bsb_sealed, account_number_sealed, linked_at)
    values (${supporterId}, ${account.accountName}, ${account.maskedNumber}, ${account.bsbSealed},
      ${account.accountNumberSealed}, ${account.linkedAt})
    on conflict (supporter_id) do update set account_name = excluded.account_name,
      masked_number = excluded.masked_number, bsb_sealed = excluded.bsb_sealed,
      account_number_sealed = excluded.account_number_sealed, linked_at = excluded.linked_at,
      receives_from = ${account.receivesFrom}::date
    returning old.supporter_id is not null as "isReplaced"`;
  return saved?.isReplaced ?? false;
}

export interface ShownSavings {
  accountName: string;
  accountNumber: string;
  /** A day to come, while it waits after a change. */
  receivesFrom: IsoDate | null;
}

/** What may be shown of the linked account. */
export async function findSavingsAccount(db: Db, supporterId: string, day: IsoDate): Promise<ShownSavings | undefined> {
  const [account] = await db<ShownSavings[]>`
    select account_name as "accountName", masked_number as "accountNumber",
      case when receives_from > ${day} then receives_from end as "receivesFrom"
    from savings_accounts where supporter_id = ${supporterId}`;
  return account;
}

export interface SplitOfDebits {
  clubCents: number;
  savingsCents: number;
  /** Set aside for the deposit of that month. */
  setAsideCents: number;
  isLinked: boolean;
  receivesFrom: IsoDate | null;
}

/**
 * What was submitted and not returned from a day on, by whose part it is (docs/rules.md#savings-half), and what the deposit of a month
 * would be as things stand: what is set aside, less what cleared after it.
 */
export async function splitOfDebits(db: Db, supporterId: string, from: IsoDate, month: Month): Promise<SplitOfDebits> {
  const [split] = await db<SplitOfDebits[]>`
    select coalesce(sum(amount_cents - savings_cents), 0)::bigint as "clubCents",
      coalesce(sum(savings_cents), 0)::bigint as "savingsCents",
      greatest(0, coalesce((select cents from ledger_balances
          where supporter_id = ${supporterId} and account = 'savings_payable'), 0)
        + coalesce((select sum(cents) from ledger_entries entry
          where entry.supporter_id = ${supporterId} and account = 'savings_payable' and kind = 'cleared'
            and booked_on > ${lastDayOf(month)}
            and not exists (select from ledger_entries undone where undone.supporter_id = ${supporterId}
              and undone.kind = 'reversed' and undone.source = entry.source)), 0))::bigint as "setAsideCents",
      exists (select from savings_accounts where supporter_id = ${supporterId}) as "isLinked",
      (select receives_from from savings_accounts where supporter_id = ${supporterId}) as "receivesFrom"
    from debits where supporter_id = ${supporterId} and state in ('submitted', 'cleared') and run_date >= ${from}`;
  return split ?? { clubCents: 0, savingsCents: 0, setAsideCents: 0, isLinked: false, receivesFrom: null };
}
