import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import type { MailFacts } from './mail-facts.ts';

export interface QueuedEmail {
  supporterId: string;
  /** A supporter is mailed each key only once, for ever. */
  key: string;
  facts: MailFacts;
  at: Date;
}

/** Mails that are waited for, and those about changes of which the owner of an account has to learn at once. */
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

/** Returns a club's name, for a mail about it. */
export async function clubNameOf(db: Db, clubId: string): Promise<string> {
  const [club] = await db<{ name: string }[]>`select name from clubs where id = ${clubId}`;
  return club?.name ?? 'your club';
}

/** The most mails to an address that nobody has proven, before a bank is linked (docs/rules.md#unproven-address). */
export const maxToUnproven = 3;

/** Condition on `supporters`: their mails are counted, and so kept (features/supporters/retention). */
export const isCounted = (db: Db) =>
  db`email_proven_at is null and not consent_active and consent_end is null and onboarded_on is null`;
