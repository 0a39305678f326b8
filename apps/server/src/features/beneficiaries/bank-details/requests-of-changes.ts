import { formerContactDays } from '@sparechange/domain';
import { z } from 'zod';
import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import { NotAllowed } from '#errors.ts';
import { recentSince } from '#features/beneficiaries/clubs/contact-changes.ts';
import type { Approval } from '#features/core/approvals/approval-repository.ts';
import { stopRefusedChange } from './change-bank-details.ts';
import { bankDetailsName, findChange } from './change-repository.ts';

const Recorded = z.object({ changeId: z.string() });

/** Returns the change of a request; undefined for another act. */
const changeOf = ({ act, arguments: recorded }: Approval): string | undefined =>
  act === bankDetailsName ? Recorded.safeParse(recorded).data?.changeId : undefined;

/** Finds the club whose bank details a request would change. */
export async function findClubOfRequest(tx: Db, approval: Approval): Promise<string | undefined> {
  const id = changeOf(approval);
  return id && (await findChange(tx, id))?.clubId;
}

/** Stops the change of a refused request, as nobody can agree to it any more; does nothing for another act. */
export async function stopChangeOfRequest(tx: Db, approval: Approval, by: Actor, at: Date): Promise<void> {
  const id = changeOf(approval);
  if (id) await stopRefusedChange(tx, id, actorName(by), at);
}

/**
 * Throws NotAllowed for the person who gave the requesting treasurer their club, or who changed the club's contact
 * while the former one is still asked: one person could both request and agree
 * (docs/decisions/approvals.md#bank-details-of-a-club).
 */
export async function refuseInvolved(db: Db, changeId: string, actor: string, at: Date): Promise<void> {
  const [found] = await db<{ hasInvited: boolean; hasChangedContact: boolean }[]>`
    select exists (
        select from operator_clubs granted
        where granted.club_id = change.club_id and 'console ' || operator_id = change.asked_by and granted_by = ${actor}
      ) as "hasInvited",
      coalesce(contact_changed_at > ${recentSince(at)}
        and ${actor} = any(contact_changed_by), false) as "hasChangedContact"
    from bank_detail_changes change join clubs club on club.id = change.club_id where change.id = ${changeId}`;
  if (found?.hasInvited)
    throw new NotAllowed('You gave the treasurer who asks for this their club; somebody else has to agree.');
  if (found?.hasChangedContact)
    throw new NotAllowed(
      `You changed the contact of this club within the last ${formerContactDays} days; somebody else has to agree.`,
    );
}
