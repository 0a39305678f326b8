import { type MailKind, type SignInMailKind, signInMailKinds } from '@sparechange/contract/console';
import { maxCounted } from '@sparechange/domain/counted';
import { z } from 'zod';
import type { Db, Pool } from '#db/connect.ts';
import { afterAttempt, claim, type DueColumns, isFree } from '#db/due-work.ts';
import { controlAndBuckets, rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { hasSupporters } from '#db/scope.ts';

export type Recipient = 'supporter' | 'club' | 'operator';

export interface QueuedMail {
  recipient: Recipient;
  /** Null unless the recipient is a supporter. */
  supporterId: string | null;
  /** A key is sent to a supporter only once, ever; likewise to clubs and operators together. */
  key: string;
  /** All that is stored of an email: never text, links or bank data. */
  facts: { kind: MailKind; [fact: string]: unknown };
  at: Date;
  /** Takes precedence over all other due emails. */
  isUrgent: boolean;
}

/** Queues an email in its subject's transaction; returns whether it is new. */
export async function queueMail(tx: Db, mail: QueuedMail): Promise<boolean> {
  const { recipient, supporterId, key, facts, at, isUrgent } = mail;
  const queued = await tx`
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at, is_urgent)
    values (${recipient}, ${supporterId}, ${key}, ${tx.json(facts)}, ${at}, ${at}, ${isUrgent})
    on conflict do nothing`;
  return queued.count === 1;
}

/** Columns by which emails are taken, tried again and given up. */
export const dueMails = {
  key: ['id'],
  dueAt: 'due_at',
  claimedUntil: 'taken_until',
  parkedAt: 'given_up_at',
  tries: 'attempts',
  failure: 'failure',
} satisfies DueColumns;

/** An email to a supporter that the identity service sent or gave up. */
export interface SignInMail {
  supporterId: string;
  kind: SignInMailKind;
  /** Unique among these emails. */
  id: string;
  at: Date;
  attempts: number;
  /** Reason for giving it up; absent if it was sent. */
  failure?: string | undefined;
}

/** Returns the key of such an email among its supporter's. */
export const signInMailKey = ({ kind, id }: Pick<SignInMail, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Records such an email once, for lists and timelines; its link is stored nowhere. */
export async function recordSignInMail(db: Db, mail: SignInMail): Promise<void> {
  const { supporterId, kind, at, attempts, failure = null } = mail;
  const [sentAt, givenUpAt] = failure === null ? [at, null] : [null, at];
  await db`
    insert into mails (recipient, supporter_id, key, facts, queued_at, due_at, attempts, sent_at, given_up_at, failure)
    select 'supporter', supporter_id, ${signInMailKey(mail)}, ${db.json({ kind })}, ${at}, ${at}, ${attempts}, ${sentAt}, ${givenUpAt}, ${failure}
    from supporters where supporter_id = ${supporterId}
    on conflict do nothing`;
}

const SignInFacts = z.object({ kind: z.enum(signInMailKinds) });

/** Returns whether these are facts of an email sent by the identity service. */
export const isSignInMail = (facts: unknown): boolean => SignInFacts.safeParse(facts).success;

export interface TakenMail {
  id: number;
  recipient: Recipient;
  supporterId: string | null;
  key: string;
  facts: unknown;
  queuedAt: Date;
  attempts: number;
  /** Time when it is due again unless an attempt is recorded; identifies this claim of it. */
  dueAt: Date;
  /** Time since which it was due before. */
  wasDueAt: Date;
  /** True if the supporter's address refused email within 30 days. */
  isBouncing: boolean;
}

/** Order in which emails are taken. */
export type TakingOrder = 'urgent first' | 'urgent alone' | 'by age';

/** Condition that an address of the email's supporter refused one. Control has no supporters. */
export const isBounced = (db: Db, when = db`true`) =>
  hasSupporters(db.scope)
    ? db`exists (select from mail_bounces bounce where bounce.supporter_id = mails.supporter_id and ${when})`
    : db`false`;

/**
 * Takes the next due emails, at most `limit`; concurrent callers get different ones. Those of a killed process are taken
 * again after ten minutes, by both the product's and the machine's clock, since either may be moved; no attempt lasts
 * that long.
 */
export async function takeMails(db: Db, now: Date, order: TakingOrder, limit: number): Promise<TakenMail[]> {
  const isRecent = db`bounced_at > ${now}::timestamptz - interval '30 days' and exists (
    select from supporters where supporters.supporter_id = bounce.supporter_id and supporters.email = bounce.email)`;
  return db<TakenMail[]>`
    with ${claim(db, dueMails, {
      due: db`
        select id, is_urgent, due_at from mails
        where sent_at is null and given_up_at is null and ${isFree(db, dueMails, now, db`now()`)}
          ${order === 'urgent alone' ? db`and is_urgent` : db``}`,
      first: order === 'by age' ? db`` : db`is_urgent desc,`,
      limit: db`${limit}`,
      mark: db`
        update mails work set due_at = ${now}::timestamptz + interval '10 minutes',
          taken_until = now() + interval '10 minutes'`,
    })}
    select id, recipient, supporter_id as "supporterId", key, facts, queued_at as "queuedAt", attempts,
      mails.due_at as "dueAt", due.due_at as "wasDueAt", ${isBounced(db, isRecent)} as "isBouncing"
    from claimed mails join due using (id)
    order by ${order === 'by age' ? db`` : db`due.is_urgent desc,`} due.due_at, id`;
}

/** Gives back emails that were taken and not tried: they are due as before. */
export async function giveBackMails(db: Db, mails: TakenMail[]): Promise<void> {
  await db`
    update mails set due_at = given.due_at, taken_until = null
    from unnest(${mails.map(({ id }) => id)}::bigint[], ${mails.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[],
      ${mails.map(({ wasDueAt }) => wasDueAt.toISOString())}::timestamptz[]) as given (id, taken_due_at, due_at)
    where mails.id = given.id and sent_at is null and given_up_at is null and mails.due_at = given.taken_due_at`;
}

export interface Attempt {
  sentAt?: Date;
  givenUpAt?: Date;
  dueAt?: Date;
  failure?: string;
  /** Address that refused it permanently. */
  refusedBy?: string;
  /** There was nothing to send any more, or not yet. */
  isUntried?: boolean;
}

/**
 * Records the outcome of a taken email. An outcome that another process recorded first stands, except that a sent email
 * always counts as sent.
 */
export async function recordAttempt(db: Db, { id, dueAt }: TakenMail, attempt: Attempt): Promise<void> {
  await db`
    update mails set attempts = attempts + ${attempt.isUntried ? 0 : 1}, sent_at = ${attempt.sentAt ?? null},
      failure = ${attempt.failure ?? null},
      ${afterAttempt(db, dueMails, { dueAt: attempt.dueAt ?? db`due_at`, parkedAt: attempt.givenUpAt ?? null })}
    where id = ${id} and sent_at is null
      and (${attempt.sentAt !== undefined} or (given_up_at is null and due_at = ${dueAt}))`;
}

/** Records that taken emails were sent, with one statement, as `recordAttempt` does. */
export async function recordSent(db: Db, mails: TakenMail[], sentAt: Date): Promise<void> {
  await db`
    update mails set attempts = attempts + 1, sent_at = ${sentAt}, failure = null,
      ${afterAttempt(db, dueMails, { dueAt: db`due_at`, parkedAt: null })}
    where id = any(${mails.map(({ id }) => id)}::bigint[]) and sent_at is null`;
}

/** Failure of an email that was not tried. */
export const addressBounced = 'the address bounced';

/**
 * Records that a supporter's address refuses emails; those of clubs and operators are tried again with the next one.
 */
export async function recordBounce(
  db: Db,
  supporterId: string,
  email: string,
  at: Date,
  reason: string,
): Promise<void> {
  await db`
    insert into mail_bounces (supporter_id, email, bounced_at, reason) values (${supporterId}, ${email}, ${at}, ${reason})
    on conflict (supporter_id, email) do update set bounced_at = excluded.bounced_at, reason = excluded.reason`;
}

/** Counts the addresses that bounced since then. */
export async function countBounces(pool: Pool, since: Date): Promise<number> {
  const count = (db: Db) => db<{ count: number }[]>`
    select count(*)::int as count from mail_bounces where bounced_at >= ${since}`;
  return sumsOf(await rowsOf(pool.inBuckets(), count)).count;
}

/** Counts emails queued and sent since then, to a limit. */
export async function countSent(pool: Pool, since: Date, limit: number): Promise<number> {
  const count = (db: Db) => db<{ count: number }[]>`
    select count(*)::int as count from (
      select from mails where queued_at >= ${since} and sent_at is not null limit ${limit}
    ) as sent`;
  return Math.min(sumsOf(await rowsOf(controlAndBuckets(pool), count)).count, limit);
}

export interface MailState {
  recipient: Recipient;
  /** Counted up to `maxCounted`. */
  waiting: number;
  /** Given up after an attempt since then, counted up to `maxCounted`, without supporters' addresses that refused. */
  undelivered: number;
  lastGivenUpAt: Date | null;
  /** Reason for the last failure. */
  failure: string | null;
}

/** Counts waiting emails and those undeliverable since then, by recipient. */
export async function listMailStates(pool: Pool, since: Date): Promise<MailState[]> {
  const read = (db: Db) => db<MailState[]>`
    select recipient, waiting, undelivered, "lastGivenUpAt", failure
    from (values ('supporter'), ('club'), ('operator')) as one (recipient)
    cross join lateral (
      select count(*)::int as waiting from (
        select from mails where mails.recipient = one.recipient and sent_at is null and given_up_at is null limit ${maxCounted}
      ) as mail
    ) as waits
    cross join lateral (
      select count(*)::int as undelivered, max(given_up_at) as "lastGivenUpAt",
        (array_agg(failure order by given_up_at desc))[1] as failure
      from (
        select given_up_at, failure from mails
        where mails.recipient = one.recipient and given_up_at >= ${since} and attempts > 0
          and not ${isBounced(db, db`bounced_at >= given_up_at`)}
        order by given_up_at desc limit ${maxCounted}
      ) as mail
    ) as ended
    where waiting > 0 or undelivered > 0`;
  const together = (one: MailState, other: MailState): MailState => ({
    ...(Number(one.lastGivenUpAt) < Number(other.lastGivenUpAt) ? other : one),
    waiting: Math.min(one.waiting + other.waiting, maxCounted),
    undelivered: Math.min(one.undelivered + other.undelivered, maxCounted),
  });
  const byRecipient = Map.groupBy(await rowsOf(controlAndBuckets(pool), read), ({ recipient }) => recipient);
  const states = [...byRecipient.values()].map((ofOne) => ofOne.reduce(together));
  return states.sort((one, other) => one.recipient.localeCompare(other.recipient));
}
