import type { ClubRequestForm } from '@sparechange/contract';
import { sydneyDay } from '@sparechange/domain';
import { appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import type { Clock } from '#ports/clock.ts';
import { deleteLapsed, lockRequest, recordConfirmation, saveRequest } from './request-repository.ts';

interface Deps {
  db: Pool;
  clock: Clock;
}

/** Queues an email to the contact of a request, at most once a day. */
export const mailContact = (tx: Db, requestId: string, step: 'confirm' | 'approved' | 'refused', at: Date) =>
  queueMail(tx, {
    recipient: 'club',
    supporterId: null,
    key: `club request ${step} ${requestId} ${sydneyDay(at)}`,
    facts: { kind: 'club_request', requestId, step },
    at,
    isUrgent: step === 'confirm',
  });

/** Records that a club asks to join, and emails the contact a link unless they have confirmed it already. */
export function askToJoin({ db, clock }: Deps, tenantKey: string, form: ClubRequestForm): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    await deleteLapsed(tx, at);
    const id = await saveRequest(tx, { ...form, tenantKey, at });
    if (id) await mailContact(tx, id, 'confirm', at);
  });
}

/** Records that the contact confirmed a request; repeating it changes nothing. Returns the name of the club. */
export async function confirmRequest({ db, clock }: Deps, id: string): Promise<string> {
  const at = clock.now();
  await deleteLapsed(db, at); // also if the link is refused
  return db.begin(async (tx) => {
    const request = await lockRequest(tx, id);
    if (!request) throw new NotFound('The link');
    if (request.confirmedAt) return request.name;
    await recordConfirmation(tx, id, at);
    const entry = { supporterId: operatorsChain, at, actor: 'mailed link', action: 'a club asked to join' };
    await appendToAuditLog(tx, { ...entry, details: { request: id } });
    return request.name;
  });
}
