import { z } from 'zod';
import { type Actor, actorName } from '#audit/audit-log.ts';
import type { Db } from '#db/connect.ts';
import type { Approval } from '#features/approvals/approval-repository.ts';
import { stopWithdrawnChange } from './change-bank-details.ts';
import { findChange } from './change-repository.ts';

const Recorded = z.object({ changeId: z.string() });

/** Returns the change that a request is about; nothing for another act. */
const changeOf = ({ act, arguments: recorded }: Approval): string | undefined =>
  act === 'club_bank_details' ? Recorded.safeParse(recorded).data?.changeId : undefined;

/** Finds the club whose bank details a request would change. */
export async function findClubOfRequest(tx: Db, approval: Approval): Promise<string | undefined> {
  const id = changeOf(approval);
  return id && (await findChange(tx, id))?.clubId;
}

/** Stops the change that a withdrawn request was about: nobody could agree to it any more. */
export async function stopChangeOfRequest(tx: Db, approval: Approval, by: Actor, at: Date): Promise<void> {
  const id = changeOf(approval);
  if (id) await stopWithdrawnChange(tx, id, actorName(by), at);
}
