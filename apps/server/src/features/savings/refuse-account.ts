import type { Db } from '#db/connect.ts';
import { mailSavingsRefused } from '#features/emails/queue-savings-emails.ts';
import type { Deposit } from './deposit-repository.ts';
import { markAccountRefused } from './savings-repository.ts';

/**
 * Keeps further deposits from an account that cannot receive them and mails the supporter once. The money stays set aside
 * for another account (docs/decisions/0084).
 */
export async function refuseAccount(tx: Db, { supporterId, id, amount }: Deposit, at: Date): Promise<void> {
  if (!(await markAccountRefused(tx, { supporterId, id }, at))) return;
  await mailSavingsRefused(tx, at, { supporterId, id, amountCents: amount });
}
