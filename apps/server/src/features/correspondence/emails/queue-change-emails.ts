import { type IsoDate, sydneyDay } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { queueEmail } from './queue-email.ts';

interface Change {
  supporterId: string;
  at: Date;
}

/** Confirms another funding account, in the transaction of the change. */
export async function mailFundingChanged(tx: Db, change: Change & { mandateId: string }): Promise<void> {
  const { supporterId, at, mandateId } = change;
  const facts = { kind: 'funding_account_changed' } as const;
  await queueEmail(tx, { supporterId, key: `funding_account_changed ${mandateId}`, facts, at });
}

/** Emails the agreed direct debit request in the choice's transaction. */
export async function mailDirectDebitRequest(
  tx: Db,
  request: Change & { mandateId: string; textHash: string },
): Promise<void> {
  const { supporterId, at, mandateId, textHash } = request;
  const facts = { kind: 'direct_debit_request', agreedOn: sydneyDay(at), textHash } as const;
  await queueEmail(tx, { supporterId, key: `direct_debit_request ${mandateId}`, facts, at });
}

/** Confirms another savings account, in the transaction of the change. */
export async function mailSavingsChanged(tx: Db, change: Change & { receivesFrom: IsoDate | null }): Promise<void> {
  const { supporterId, at, receivesFrom } = change;
  const facts = { kind: 'savings_account_changed', receivesFrom } as const;
  await queueEmail(tx, { supporterId, key: `savings_account_changed ${at.toISOString()}`, facts, at });
}

/** Confirms a new password to an onboarded supporter, once for each change. */
export async function mailPasswordChanged(
  whole: Db,
  { supporterId, at, changedAt }: Change & { changedAt: Date },
): Promise<void> {
  const db = whole.of(supporterId);
  const [onboarded] = await db`
    select 1 from supporters where supporter_id = ${supporterId} and onboarded_on is not null and closed_on is null`;
  if (!onboarded) return;
  const facts = { kind: 'password_changed' } as const;
  await queueEmail(db, { supporterId, key: `password_changed ${changedAt.toISOString()}`, facts, at });
}
