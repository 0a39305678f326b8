import type { AlarmPage } from '@sparechange/contract/console';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Db, Pool } from '#db/connect.ts';
import type { Composer } from '#features/core/outbox/attempt-mail.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import { escapeHtml } from '#html.ts';
import type { Clock } from '#ports/clock.ts';

export interface Alarm {
  name:
    | 'debiting_suspended'
    | 'debit_run_missed'
    | 'debits_refused'
    | 'payment_parked'
    | 'payments_parked'
    | 'debit_overdue'
    | 'payments_overdue'
    | 'payout_overdue'
    | 'bank_file_not_lodged'
    | 'bank_order_unreadable'
    | 'outcome_not_booked'
    | 'outcomes_not_booked'
    | 'remittance_failed'
    | 'deposits_failed'
    | 'repayment_failed'
    | 'repaid_debit_claimed'
    | 'books_do_not_balance'
    | 'books_partly_audited'
    | 'books_not_checked'
    | 'clubs_overpaid'
    | 'bookings_by_hand'
    | 'bank_details_stopped'
    | 'provider_disagrees'
    | 'provider_entries_missing'
    | 'provider_entries_unexplained'
    | 'bank_link_failing'
    | 'consents_not_followed_up'
    | 'supporter_work_parked'
    | 'supporter_work_late'
    | 'balances_unreadable'
    | 'statement_lines_open'
    | 'calendar_ends'
    | 'jobs_failed'
    | 'mail_server_unavailable'
    | 'mails_undelivered'
    | 'mails_bouncing'
    | 'webhooks_parked'
    | 'audit_log_changed'
    | 'bucket_server_silent'
    | 'bucket_server_back';
  /** Subject of the alarm; an alarm about the same subject is raised once. */
  about: string;
  /** For the operator; no bank data. */
  sentence: string;
  see?: AlarmPlace;
}

/** Page on which an operator acts on the alarm. */
interface AlarmPlace {
  page: AlarmPage;
  /** Reference of the payment concerned, on bank statements or at the provider. */
  reference?: string;
  /** Arguments of the `ops` command that shows the same; `payment show` where a reference is given. */
  command?: string;
}

export interface AlarmDeps {
  db: Pool;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}

/**
 * Raises an alarm once: logs an error and, unless `isMailed` is false, emails the operator. Repeating it changes
 * nothing.
 */
export async function raiseAlarm(
  { db, clock, log }: AlarmDeps,
  { name, about, sentence, see }: Alarm,
  isMailed = true,
): Promise<void> {
  const at = clock.now();
  const { page = null, reference = null, command = reference && `payment show ${reference}` } = see ?? {};
  const whole = alarmInWords({ sentence, page, command });
  const isNew = await db.begin(async (tx) => {
    const raised = await tx`
      insert into alarms (name, about, sentence, page, reference, command, raised_at)
      values (${name}, ${about}, ${sentence}, ${page}, ${reference}, ${command}, ${at})
      on conflict do nothing`;
    const facts = { kind: 'alarm', name, sentence: whole } as const;
    const key = `alarm ${name} ${about}`;
    if (raised.count > 0 && isMailed)
      await queueMail(tx, { recipient: 'operator', supporterId: null, key, facts, at, isUrgent: true });
    return raised.count > 0;
  });
  if (isNew) log.error({ alarm: name, about }, whole);
}

export interface RaisedAlarm extends Pick<Alarm, 'name' | 'about' | 'sentence'> {
  raisedAt: Date;
  page: AlarmPage | null;
  reference: string | null;
  command: string | null;
}

/** Formats an alarm for people with shell access only: its sentence, the console page and the command. */
export function alarmInWords({ sentence, page, command }: Pick<RaisedAlarm, 'sentence' | 'page' | 'command'>): string {
  if (!page) return sentence;
  return `${sentence} See ${page} in the console${command ? `, or: npm run -s ops -- ${command}` : '.'}`;
}

/** Returns whether the alarm has been raised, so that its cause need not be checked again. */
export async function isRaised(db: Db, name: Alarm['name'], about: string): Promise<boolean> {
  const raised = await db`select from alarms where name = ${name} and about = ${about}`;
  return raised.count > 0;
}

/** Lists alarms raised since then, newest first. */
export function listAlarms(db: Db, since: Date, limit: number): Promise<RaisedAlarm[]> {
  return db<RaisedAlarm[]>`
    select name, about, sentence, page, reference, command, raised_at as "raisedAt" from alarms
    where raised_at >= ${since} order by raised_at desc, name, about limit ${limit}`;
}

/** Age in milliseconds up to which an alarm is emailed to an address configured later. */
const newsForMs = 3 * 86_400_000;

const MailFacts = z.object({ kind: z.literal('alarm'), name: z.string(), sentence: z.string() });

/** Composes alarm emails to the operator; while no address is configured they wait, as long as they are recent. */
export const alarmComposer =
  (to: string | undefined): Composer =>
  async ({ facts, queuedAt }, now) => {
    if (now.getTime() - queuedAt.getTime() > newsForMs) return { outdated: 'it waited for more than three days' };
    if (!to) return { waitsFor: 'OPERATOR_MAIL is not set' };
    const { name, sentence } = MailFacts.parse(facts);
    return {
      to,
      subject: `Sparechange: ${name.replaceAll('_', ' ')}`,
      text: `${sentence}\n\nSee Today in the console, or: npm run -s ops -- status\n`,
      html: `<p>${escapeHtml(sentence)}</p><p>See Today in the console, or: <code>npm run -s ops -- status</code></p>`,
    };
  };
