import { addDays, isoDate } from '@sparechange/domain';
import type { Pool } from '@sparechange/server/db/connect.ts';
import { auditChanges } from '@sparechange/server/features/accounting/bookkeeping/audit-changes.ts';
import { median, rounded, timed } from './stopwatch.ts';

/** The last day of the history. */
export const lastDay = isoDate('2026-11-30');
const days = 60; // an even number, as a debit is for two days
const allDays = 4 * days;

/** The date of a day that is counted from the first of all on. */
const date = (pool: Pool) => pool`(${lastDay}::date - ${allDays}::int + day)`;

/** Three purchases of everybody on each of these days, and on every second one a debit of two days that cleared. */
export async function makeHistory(pool: Pool, from: number, until: number): Promise<void> {
  await pool.begin(async (tx) => {
    await tx`set local session_replication_role = replica`; // balances are added up at the end
    await tx`
      insert into round_ups (supporter_id, seq, account_id, transaction_id, fingerprint, occurrence, posted_on, purchase_cents,
        description, step_cents, limit_cents, raw_cents, counted_cents, recorded_at)
      select supporter_id, 3 * day + n, supporter_id, 'txn-' || day || '-' || n, md5(supporter_id::text || day || n)::uuid, 1,
        ${date(pool)}, 460, 'EFTPOS PURCHASE CORNER CAFE SYDNEY', 100, 0, 40, 40, (${date(pool)} + time '12:00') at time zone 'Australia/Sydney'
      from generate_series(${from}::int, ${until}::int) day, supporters, generate_series(-2, 0) n`;
    await tx`
      insert into debits (supporter_id, id, run_date, kind, attempt, club_id, mandate_id, reference, amount_cents, savings_cents,
        first_seq, last_seq, state, provider_ref, planned_at, submitting_at, submitted_at, outcome_at)
      select supporter_id, uuid_of('debit ' || supporter_id || day), ${date(pool)}, 'round-up', 1, club_id, supporter_id,
        'RU' || upper(left(md5(supporter_id::text || day), 16)), 240, 0, 3 * day - 5, 3 * day, 'cleared', 'PR.' || supporter_id || day,
        at, at, at, at
      from generate_series(${from}::int, ${until}::int) day, supporters,
        lateral (select (${date(pool)} + time '18:00') at time zone 'Australia/Sydney' as at) as hour where day % 2 = 0`;
    await tx`
      insert into ledger_entries (supporter_id, kind, source, account, cents, club_id, booked_on)
      select supporter_id, leg.kind, md5(leg.source || supporter_id || day)::uuid, leg.account, leg.cents, club_id, ${date(pool)}
      from generate_series(${from}::int, ${until}::int) day, supporters, (values
        ('recorded '::text, 'recorded'::transfer_kind, 'pledged'::ledger_account, 120, 1), ('recorded ', 'recorded', 'promised', -120, 1),
        ('debit ', 'submitted', 'in_flight', 240, 2), ('debit ', 'submitted', 'pledged', -240, 2),
        ('debit ', 'cleared', 'cash', 240, 2), ('debit ', 'cleared', 'in_flight', -240, 2),
        ('debit ', 'cleared', 'promised', 240, 2), ('debit ', 'cleared', 'club_payable', -240, 2)
      ) as leg (source, kind, account, cents, every) where day % leg.every = 0`;
    await tx`
      insert into debit_runs (run_date, debits, cents)
      select run_date, count(*), sum(amount_cents) from debits group by 1
      on conflict (run_date) do nothing`;
    await tx`delete from ledger_balances`;
    await tx`
      insert into ledger_balances (supporter_id, account, cents, closed_cents, closed_until)
      select supporter_id, account, sum(own), coalesce(sum(own) filter (where booked_on <= ${addDays(lastDay, -2)}), 0),
        ${addDays(lastDay, -2)}
      from ledger_entries, lateral (select on_own_side(account, cents) as own) as side group by 1, 2`;
  });
  await pool`vacuum analyze`;
}

async function measureNight(pool: Pool, runs: number): Promise<number> {
  const seconds: number[] = [];
  for (let run = 0; run < runs; run += 1)
    seconds.push(
      await timed('audit: a night', async () => {
        const { violations, leftOut } = await auditChanges(pool, addDays(lastDay, -1));
        if (violations[0] !== undefined || leftOut > 0) throw new Error(violations[0] ?? 'Some were left out.');
      }),
    );
  return median(seconds);
}

/** Audits a night of the same supporters with a history, and with one four times as long. */
export async function measureAudit(pool: Pool, runs: number) {
  await pool`truncate round_ups, debits cascade`;
  await timed(`audit: ${days} days`, () => makeHistory(pool, allDays - days + 1, allDays));
  const short = await measureNight(pool, runs);
  await timed(`audit: ${allDays} days`, () => makeHistory(pool, 1, allDays - days));
  const long = await measureNight(pool, runs);
  const full = await timed('audit: everything', () => auditChanges(pool, null));
  return {
    ratio: rounded(long / short),
    days,
    seconds: rounded(short),
    secondsWithFourTimes: rounded(long),
    secondsOfEverything: rounded(full),
  };
}
