import { addDays, type Cents, formatCents, type IsoDate } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import type { Logger } from 'pino';
import type { Db, Pool } from '#db/connect.ts';
import { findSilentBehind, nodesInWords } from '#db/silent-nodes.ts';
import { raiseAlarm } from '#features/core/alarms/alarms.ts';
import type { Checks } from '#features/core/ledger/check.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { type Clock, today } from '#ports/clock.ts';
import { auditChanges, auditSupporters } from './audit-changes.ts';
import { findAuditProgress, findDueFullAudit, recordBookCheck } from './book-check-repository.ts';

export interface NightlyDeps {
  db: Pool;
  clock: Clock;
  log: Logger;
}

export interface NightlyAuditDeps extends NightlyDeps {
  /** Invariants checked besides those of every installation. */
  alsoWanted?: Checks;
}

export interface NightlyAudit {
  violations: number;
  supporters: number;
  leftOut: number;
  /** Nodes whose supporters were not audited. */
  silentServers?: string[];
}

/** Page on which an operator sees an audit's findings. */
const seeAudit = { page: 'Reconciliation', command: 'audit' } as const;

/**
 * Closes the days before today and audits everything booked since the last audit without violations. A violation, days
 * that cannot be closed, supporters left out for lack of time, a silent node and an overpaid club each raise an alarm.
 * While a node is silent only violations and the silence do: the night does not count as an audit, the next one reads
 * the same days, and the full audit waits.
 */
export async function auditByNight(deps: NightlyAuditDeps): Promise<NightlyAudit> {
  const { db, clock, alsoWanted = {} } = deps;
  const startedAt = clock.now();
  const began = performance.now();
  const until = addDays(today(clock), -1);
  const { notClosed, silentBefore } = await close(db, until, startedAt);
  const { cleanUntil, resumeAfter } = await findAuditProgress(db);
  const closeUntil = addDays(until, -1); // a transaction may have been open over midnight
  const audit = await auditChanges(db, cleanUntil, { alsoWanted, resumeAfter, closeUntil });
  const { leftOut, supporters } = audit;
  const found = notClosed.length + audit.found;
  const silentServers = [...new Set([...silentBefore, ...audit.silentServers])];
  if (silentServers.length > 0) {
    await alarmNotChecked(deps, 'audit', until, silentServers);
    await alarmViolations(deps, until, found, [...notClosed, ...audit.violations]);
    return { violations: found, supporters, leftOut, silentServers };
  }
  const check = { startedAt, tookMs: performance.now() - began, coveredUntil: until, found, leftOut };
  await recordBookCheck(db, {
    ...check,
    kind: 'nightly_audit',
    closedUntil: closeUntil,
    resumeAfter: audit.resumeAfter,
  });
  await alarmViolations(deps, until, found, [...notClosed, ...audit.violations]);
  if (leftOut > 0) {
    const sentence = `The nightly audit ran out of time for ${counted(leftOut, 'supporter')}; it continues tomorrow.`;
    await raiseAlarm(deps, { name: 'books_partly_audited', about: until, sentence, see: seeAudit });
  }
  await alarmOverpaidClubs(deps, cleanUntil);
  const ofFullAudit = await continueFullAudit(deps, until);
  return { violations: found + ofFullAudit, supporters, leftOut };
}

/** Closes days; reports failures other than of nodes that do not answer. */
async function close(db: Pool, until: IsoDate, now: Date): Promise<{ notClosed: string[]; silentBefore: string[] }> {
  try {
    await closeAndRollUp(db, until, now);
    return { notClosed: [], silentBefore: [] };
  } catch (error) {
    const silentBefore = await findSilentBehind(db, error);
    const sentence = `the days up to ${until} were not closed: ${(error as Error).message}`;
    return { notClosed: silentBefore.length > 0 ? [] : [sentence], silentBefore };
  }
}

/** Raises the alarm that the books could not be checked, which does not mean that they do not balance. */
export function alarmNotChecked(
  deps: NightlyDeps,
  check: 'audit' | 'reconciliation',
  about: IsoDate,
  nodes: string[],
): Promise<void> {
  const rest = check === 'audit' ? 'left out its supporters, who are checked the next night' : 'waits for it';
  const named = `${nodesInWords(nodes)} ${nodes.length === 1 ? 'is' : 'are'}`;
  const sentence = `Not checked: the database ${named} silent. The nightly ${check} ${rest}.`;
  return raiseAlarm(deps, { name: 'books_not_checked', about: `${check} ${about}`, sentence });
}

/**
 * Audits everything once a week, for half an hour a night until all is read: it finds changes without an entry, or
 * before the days that a night reads. Returns the number of violations.
 */
async function continueFullAudit(deps: NightlyAuditDeps, until: IsoDate): Promise<number> {
  const { db, clock, alsoWanted = {} } = deps;
  const [startedAt, began] = [clock.now(), performance.now()];
  const due = await findDueFullAudit(db, startedAt);
  if (!due) return 0;
  const { resumeAfter } = due;
  const options = { resumeAfter, isFullAudit: true };
  const {
    found,
    leftOut,
    violations,
    silentServers,
    resumeAfter: next,
  } = resumeAfter ? await auditSupporters(db, null, options) : await auditChanges(db, null, { ...options, alsoWanted });
  const tookMs = performance.now() - began;
  if (silentServers.length > 0) {
    await alarmNotChecked(deps, 'audit', until, silentServers);
    await alarmViolations(deps, `full audit ${until}`, found, violations);
    return found;
  }
  await recordBookCheck(db, {
    kind: 'full_audit',
    startedAt,
    tookMs,
    coveredUntil: until,
    found,
    leftOut,
    resumeAfter: next,
  });
  await alarmViolations(deps, `full audit ${until}`, found, violations);
  return found;
}

async function alarmViolations(deps: NightlyDeps, about: string, found: number, [first]: string[]): Promise<void> {
  if (found === 0) return;
  const sentence = `The audit of the books found ${counted(found, 'violation')}. The first is: ${first}.`;
  await raiseAlarm(deps, { name: 'books_do_not_balance', about, sentence, see: seeAudit });
}

interface Overpaid {
  day: IsoDate;
  clubs: number;
  cents: Cents;
  largest: string;
}

async function alarmOverpaidClubs(deps: NightlyDeps, since: IsoDate | null): Promise<void> {
  for (const { day, clubs, cents: sum, largest } of await listOverpaid(deps.db, since)) {
    const sentence = `Banks claimed back, or supporters were refunded, ${formatCents(sum)} that had been remitted to ${counted(clubs, 'club')} (most of it: ${largest}). It is receivable from them and paid by their next donations.`;
    await raiseAlarm(deps, { name: 'clubs_overpaid', about: day, sentence, see: { page: 'Reconciliation' } });
  }
}

/** Lists the days on which receivables grew. */
function listOverpaid(db: Db, since: IsoDate | null): Promise<Overpaid[]> {
  return db<Overpaid[]>`
    select booked_on as day, count(*) as clubs, sum(entry.cents)::bigint as cents,
      (array_agg(name order by entry.cents desc))[1] as largest
    from platform_entries entry join clubs on clubs.id = entry.club_id
    where kind = 'club_overpaid' and account = 'receivable_from_club' and entry.cents > 0
      and booked_on > coalesce(${since}::date, '-infinity')
    group by booked_on order by booked_on`;
}
