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
}

export async function saveSavingsAccount(db: Db, supporterId: string, account: LinkedSavings): Promise<void> {
  await db`
    insert into savings_accounts (supporter_id, account_name, masked_number, bsb_sealed, account_number_sealed, linked_at)
    values (${supporterId}, ${account.accountName}, ${account.maskedNumber}, ${account.bsbSealed},
      ${account.accountNumberSealed}, ${account.linkedAt})
    on conflict (supporter_id) do update set account_name = excluded.account_name,
      masked_number = excluded.masked_number, bsb_sealed = excluded.bsb_sealed,
      account_number_sealed = excluded.account_number_sealed, linked_at = excluded.linked_at`;
}

/** What may be shown of the linked account. */
export async function findSavingsAccount(
  db: Db,
  supporterId: string,
): Promise<{ accountName: string; accountNumber: string } | undefined> {
  const [account] = await db<{ accountName: string; accountNumber: string }[]>`
    select account_name as "accountName", masked_number as "accountNumber"
    from savings_accounts where supporter_id = ${supporterId}`;
  return account;
}
