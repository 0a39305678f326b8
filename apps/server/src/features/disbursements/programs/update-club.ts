import type { ClubChanges } from '@sparechange/contract/programs';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { ProgramKey } from '#caller.ts';
import type { Pool } from '#db/connect.ts';
import { byColumn, saveColumns } from '#features/beneficiaries/clubs/club-columns.ts';
import { clubChanged, recordEvents } from '#features/core/events/record-events.ts';
import type { Clock } from '#ports/clock.ts';
import { findSeenClub, type SeenClub } from './program-repository.ts';

/** Changes a club's page for a program that sees the club; returns undefined if it does not. */
export function updateClub(
  { db, clock }: { db: Pool; clock: Clock },
  key: ProgramKey,
  id: string,
  changes: ClubChanges,
): Promise<SeenClub | undefined> {
  return db.begin(async (tx) => {
    await tx`select from clubs where id = ${id}::uuid for update`;
    const club = await findSeenClub(tx, key, id);
    if (!club || !(await saveColumns(tx, id, byColumn(changes)))) return club;
    const details = { club: id, fields: namesIn(changes).join(' '), by: `api key ${key.id}` };
    const at = clock.now();
    const entry = { supporterId: operatorsChain, at, actor: 'program', action: 'club changed', details };
    await appendToAuditLog(tx, entry);
    await recordEvents(tx, [clubChanged(id, at)]);
    return findSeenClub(tx, key, id);
  });
}

/** Returns the names of the given facts, including those emptied by null. */
const namesIn = (changes: ClubChanges): string[] =>
  Object.entries(changes).flatMap(([fact, value]) => (value === undefined ? [] : [fact]));
