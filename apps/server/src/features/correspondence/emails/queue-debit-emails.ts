import type { AfterReturn, Cents } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { clubNameOf, queueEmail } from './queue-email.ts';

interface MailedDebit {
  supporterId: string;
  id: string;
  clubId: string;
  kind: 'round-up' | 'donation';
  amount: Cents;
}

/** Thanks for a one-off donation once it has arrived. */
export async function mailDonationReceived(tx: Db, at: Date, debit: MailedDebit): Promise<void> {
  const { supporterId, id, clubId, amount } = debit;
  const clubName = await clubNameOf(tx, clubId);
  const facts = { kind: 'donation_received', amountCents: amount, clubName } as const;
  await queueEmail(tx, { supporterId, key: `donation received ${id}`, facts, at });
}

/** Emails the donor that the provider refused a one-off donation, which is not retried. */
export async function mailRefusedDonation(tx: Db, at: Date, { supporterId, id, amount }: MailedDebit): Promise<void> {
  const facts = { kind: 'donation_refused', amountCents: amount } as const;
  await queueEmail(tx, { supporterId, key: `donation refused ${id}`, facts, at });
}

/** Announces a refund to the payer. */
export async function mailRefundedDebit(
  tx: Db,
  at: Date,
  { supporterId, id, debitId, clubId, amount: amountCents }: Omit<MailedDebit, 'kind'> & { debitId: string },
): Promise<void> {
  const [taken] = await tx<{ kind: MailedDebit['kind'] }[]>`
    select kind from debits where supporter_id = ${supporterId} and id = ${debitId}`;
  const clubName = await clubNameOf(tx, clubId);
  const facts = { kind: 'debit_refunded', debit: taken?.kind ?? 'round-up', amountCents, clubName } as const;
  await queueEmail(tx, { supporterId, key: `debit refunded ${id}`, facts, at });
}

/**
 * Emails the supporter about a returned debit and its consequences. A fault of ours, which suspends the runs, is not
 * the supporter's matter; a closed account has nothing left to do.
 */
export async function mailReturnedDebit(tx: Db, at: Date, debit: MailedDebit, after: AfterReturn): Promise<void> {
  const { supporterId, id, amount: amountCents } = debit;
  const [supporter] = await tx<{ consents: boolean }[]>`
    select consent_active as consents from supporters where supporter_id = ${supporterId} and closed_on is null`;
  if (after.suspendRuns || !supporter) return;
  if (after.pauseSupporter) {
    const facts = { kind: 'paused_after_two_returns', amountCents } as const;
    await queueEmail(tx, { supporterId, key: `paused after ${id}`, facts, at });
    return;
  }
  const otherwise = debit.kind === 'donation' ? 'nothing' : 'asked once more';
  const usual = after.accountUnusable ? 'change the account' : otherwise;
  const remedy = supporter.consents ? usual : 'nothing';
  const facts = { kind: 'debit_returned', debit: debit.kind, amountCents, remedy } as const;
  await queueEmail(tx, { supporterId, key: `debit returned ${id}`, facts, at });
}

/**
 * Emails that the bank reversed a cleared debit and that its account accepts no more; without a consent there is
 * nothing to do.
 */
export async function mailReversedDebit(tx: Db, at: Date, debit: MailedDebit): Promise<void> {
  const { supporterId, id, kind, amount: amountCents } = debit;
  const [supporter] = await tx<{ consents: boolean }[]>`
    select consent_active as consents from supporters where supporter_id = ${supporterId} and closed_on is null`;
  if (!supporter) return;
  const remedy = supporter.consents ? 'change the account' : 'nothing';
  const facts = { kind: 'debit_reversed', debit: kind, amountCents, remedy } as const;
  await queueEmail(tx, { supporterId, key: `debit reversed ${id}`, facts, at });
}
