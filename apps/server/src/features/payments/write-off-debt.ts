import { type Cents, formatCents } from '@sparechange/domain';
import type { Actor } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { Conflict, NotFound } from '#errors.ts';
import type { ApprovedActs } from '#features/approvals/approved-acts.ts';
import { findCorrectedClub, receivableFrom } from '#features/bookkeeping/club-corrections.ts';

/** Gives up what a club owes, or asks a second person to agree. Throws Conflict for more than it owes. */
export async function writeOffDebt(
  { db, acts }: { db: Pool; acts: Pick<ApprovedActs, 'clubWriteOff'> },
  actor: Actor,
  writeOff: { id: string; clubId: string; amount: Cents; reason: string },
): ReturnType<ApprovedActs['clubWriteOff']> {
  const club = await findCorrectedClub(db, writeOff.clubId);
  if (!club) throw new NotFound('The club');
  const owed = await receivableFrom(db, club.id);
  if (writeOff.amount > owed) throw new Conflict(`${club.name} owes ${formatCents(owed)}; no more can be written off.`);
  const tried = await acts.clubWriteOff(
    actor,
    writeOff,
    `Write-off of ${formatCents(writeOff.amount)} that ${club.name} owes`,
  );
  if ('result' in tried && !tried.result.result.startsWith('booked'))
    throw new Conflict('It could not be written off: what the club owes has changed. Please try again.');
  return tried;
}
