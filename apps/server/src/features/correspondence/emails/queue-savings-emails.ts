import type { Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { queueEmail } from './queue-email.ts';

/** Asks for another savings account, in the transaction that records why no deposit can go to this one. */
export async function mailSavingsRefused(tx: Db, at: Date, deposit: Omit<MailedDeposit, 'month'>): Promise<void> {
  const { supporterId, id, amountCents } = deposit;
  const facts = { kind: 'savings_account_refused', amountCents } as const;
  await queueEmail(tx, { supporterId, key: `savings_account_refused ${id}`, facts, at });
}

export interface MailedDeposit {
  supporterId: string;
  /** Id of the deposit, which is emailed once. */
  id: string;
  amountCents: Cents;
  /** Month of the round-ups it is half of, `YYYY-MM`. */
  month: string;
}

/** Announces the monthly savings deposit in the transaction recording it. */
export async function mailSavingsDeposited(tx: Db, at: Date, deposit: MailedDeposit): Promise<void> {
  const { supporterId, id, amountCents, month } = deposit;
  const facts = { kind: 'savings_deposited', amountCents, month } as const;
  await queueEmail(tx, { supporterId, key: `savings deposited ${id}`, facts, at });
}
