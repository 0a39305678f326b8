import type { Db } from '#db/connect.ts';
import type { MailFacts } from './mail-facts.ts';

export interface QueuedMail {
  supporterId: string;
  /** A supporter is mailed each key only once, for ever. */
  key: string;
  facts: MailFacts;
  at: Date;
}

/** Queues a mail in its subject's transaction; returns whether new. */
export async function queueMail(tx: Db, { supporterId, key, facts, at }: QueuedMail): Promise<boolean> {
  const queued = await tx`
    insert into mails (supporter_id, key, facts, queued_at, due_at)
    values (${supporterId}, ${key}, ${tx.json(facts)}, ${at}, ${at})
    on conflict do nothing`;
  return queued.count === 1;
}

/** The name of a club, for a mail about it. */
export async function clubNameOf(db: Db, clubId: string): Promise<string> {
  const [club] = await db<{ name: string }[]>`select name from clubs where id = ${clubId}`;
  return club?.name ?? 'your club';
}

export interface DueMail {
  supporterId: string;
  key: string;
  facts: unknown;
  attempts: number;
  email: string;
  firstName: string;
  tenantKey: string;
  /** True once somebody has confirmed this address. */
  isProven: boolean;
  /** Its address said no for good not long ago. */
  isBouncing: boolean;
}

/** Lists the emails due now, the longest waiting first. */
export function listDueMails(db: Db, now: Date, bouncedSince: Date, limit: number): Promise<DueMail[]> {
  return db<DueMail[]>`
    select mails.supporter_id as "supporterId", key, facts, attempts, email, first_name as "firstName", tenant_key as "tenantKey",
      email_proven_at is not null as "isProven",
      exists (select from mail_bounces bounce where bounce.supporter_id = mails.supporter_id
        and bounce.email = supporters.email and bounced_at > ${bouncedSince}) as "isBouncing"
    from mails join supporters on supporters.supporter_id = mails.supporter_id
    where sent_at is null and given_up_at is null and due_at <= ${now}
    order by due_at, mails.supporter_id, key limit ${limit}`;
}

/** Counts mails sent before a bank was linked; zero afterwards. */
export async function countMailsBeforeBank(db: Db, supporterId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from mails
    where supporter_id = ${supporterId} and sent_at is not null and not exists (
      select from supporters where supporters.supporter_id = mails.supporter_id
        and (consent_active or consent_end is not null or onboarded_on is not null))`;
  return row?.count ?? 0;
}

type Named = Pick<DueMail, 'supporterId' | 'key'>;

export async function markSent(db: Db, { supporterId, key }: Named, at: Date): Promise<void> {
  await db`
    update mails set sent_at = ${at}, attempts = attempts + 1, failure = null
    where supporter_id = ${supporterId} and key = ${key}`;
}

export async function markGivenUp(db: Db, { supporterId, key }: Named, at: Date, failure: string): Promise<void> {
  await db`
    update mails set given_up_at = ${at}, attempts = attempts + 1, failure = ${failure}
    where supporter_id = ${supporterId} and key = ${key}`;
}

export async function markForLater(db: Db, { supporterId, key }: Named, dueAt: Date, failure: string): Promise<void> {
  await db`
    update mails set due_at = ${dueAt}, attempts = attempts + 1, failure = ${failure}
    where supporter_id = ${supporterId} and key = ${key}`;
}

export async function noteBounce(db: Db, mail: DueMail, at: Date, reason: string): Promise<void> {
  await db`
    insert into mail_bounces (supporter_id, email, bounced_at, reason)
    values (${mail.supporterId}, ${mail.email}, ${at}, ${reason})
    on conflict (supporter_id, email) do update set bounced_at = excluded.bounced_at, reason = excluded.reason`;
}
