import type { Logger } from 'pino';
import type { Db, Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { escapeHtml } from '#html.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import type { Mailer } from '#ports/mailer.ts';

export interface Alarm {
  name:
    | 'debiting_suspended'
    | 'debit_run_missed'
    | 'debits_refused'
    | 'payment_parked'
    | 'payments_parked'
    | 'debit_overdue'
    | 'debits_overdue'
    | 'remittance_failed'
    | 'repayment_failed'
    | 'repaid_debit_claimed'
    | 'books_do_not_balance'
    | 'books_partly_audited'
    | 'clubs_overpaid'
    | 'provider_disagrees'
    | 'bank_link_failing'
    | 'balances_unreadable'
    | 'statement_lines_open'
    | 'calendar_ends'
    | 'jobs_failed'
    | 'audit_log_changed';
  /** Subject of the alarm: the same is raised once. */
  about: string;
  /** For the operator; no bank data. */
  sentence: string;
}

export interface AlarmDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  /** Address for alarm mails; if undefined, log and metrics only. */
  operatorMail: string | undefined;
}

/** Raises an alarm, once: an error in the log, and a mail to follow. Again, it changes nothing. */
export async function raiseAlarm(
  { db, clock, log }: Pick<AlarmDeps, 'db' | 'clock' | 'log'>,
  { name, about, sentence }: Alarm,
): Promise<void> {
  const raised = await db`
    insert into alarms (name, about, sentence, raised_at) values (${name}, ${about}, ${sentence}, ${clock.now()})
    on conflict do nothing`;
  if (raised.count > 0) log.error({ alarm: name, about }, sentence);
}

/** Lists what was raised since then, the newest first. */
export function listAlarms(db: Db, since: Date, limit: number): Promise<(Alarm & { raisedAt: Date })[]> {
  return db<(Alarm & { raisedAt: Date })[]>`
    select name, about, sentence, raised_at as "raisedAt" from alarms where raised_at >= ${since}
    order by raised_at desc, name, about limit ${limit}`;
}

/** Oldest alarm mailed to an address configured later, in milliseconds. */
const newsForMs = 3 * 86_400_000;

function listUnmailed(db: Db, since: Date): Promise<Alarm[]> {
  return db<Alarm[]>`
    select name, about, sentence from alarms where mailed_at is null and raised_at >= ${since} order by raised_at`;
}

/** Mails alarms that were raised, each once; what the mail server does not take now is tried again with the next minute. */
export async function mailAlarms({ db, clock, log, mailer, operatorMail: to }: AlarmDeps): Promise<void> {
  if (!to) return;
  await withSessionLock(db, 'mail alarms', async () => {
    for (const { name, about, sentence } of await listUnmailed(db, new Date(clock.now().getTime() - newsForMs))) {
      try {
        await mailer.send({
          id: `alarm${Buffer.from(`${name} ${about}`).toString('hex')}`,
          to,
          subject: `Sparechange: ${name.replaceAll('_', ' ')}`,
          text: `${sentence}\n\nSee: npm run -s ops -- status\n`,
          html: `<p>${escapeHtml(sentence)}</p><p>See: <code>npm run -s ops -- status</code></p>`,
        });
      } catch (error) {
        if (error instanceof ProviderUnavailable) return;
        if (!(error instanceof ProviderRefused)) throw error;
        log.error({ alarm: name, about, reason: error.reason }, 'the operator’s address takes no mail');
      }
      await db`update alarms set mailed_at = ${clock.now()} where name = ${name} and about = ${about}`;
    }
  });
}
