import type { ClubChanges } from '@sparechange/contract/programs';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { ProgramKey } from '#caller.ts';
import type { Pool } from '#db/connect.ts';
import { saveClubTexts } from '#features/beneficiaries/clubs/club-repository.ts';
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
    if (!club || !(await saveClubTexts(tx, id, { ...club, ...definedIn(changes) }))) return club;
    const details = { club: id, fields: Object.keys(definedIn(changes)).join(' '), by: `api key ${key.id}` };
    const at = clock.now();
    const entry = { supporterId: operatorsChain, at, actor: 'program', action: 'club changed', details };
    await appendToAuditLog(tx, entry);
    await recordEvents(tx, [clubChanged(id, at)]);
    return findSeenClub(tx, key, id);
  });
}

/** Returns the fields that are given, null included. */
const definedIn = (changes: ClubChanges) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [Field in keyof ClubChanges]: Exclude<ClubChanges[Field], undefined>;
  };
