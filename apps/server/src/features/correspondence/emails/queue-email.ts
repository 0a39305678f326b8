import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import type { MailFacts } from './mail-facts.ts';

export interface QueuedEmail {
  supporterId: string;
  /** A supporter is emailed each key only once, ever. */
  key: string;
  facts: MailFacts;
  at: Date;
}

/** Emails that people wait for, and those about changes that the owner of an account must learn of immediately. */
const urgent: ReadonlySet<MailFacts['kind']> = new Set([
  'welcome',
  'password_changed',
  'funding_account_changed',
  'savings_account_changed',
  'direct_debit_request',
  'holder_decided',
  'paused_by_you',
  'debits_stopped',
  'consent_withdrawn',
  'data_downloaded',
  'data_offered',
  'account_closed',
]);

/** Queues an email to a supporter in its subject's transaction; returns whether new. */
export const queueEmail = (tx: Db, email: QueuedEmail): Promise<boolean> =>
  queueMail(tx, { recipient: 'supporter', isUrgent: urgent.has(email.facts.kind), ...email });

/** Returns a club's name, for an email about it. */
export async function clubNameOf(db: Db, clubId: string): Promise<string> {
  const [club] = await db<{ name: string }[]>`select name from clubs where id = ${clubId}`;
  return club?.name ?? 'your club';
}

/** Maximum number of emails to an unconfirmed address, before a bank is linked (docs/rules.md#unproven-address). */
export const maxToUnproven = 3;

/** Condition on `supporters`: their emails are counted, so kept (features/supporters/retention). */
export const isCounted = (db: Db) =>
  db`email_proven_at is null and not consent_active and consent_end is null and onboarded_on is null`;
