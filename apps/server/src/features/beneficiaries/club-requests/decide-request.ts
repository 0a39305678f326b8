import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { insertClub } from '#features/beneficiaries/clubs/edit-club.ts';
import { type Clock, today } from '#ports/clock.ts';
import { hasEnded, type Tenants } from '#tenants/load-tenants.ts';
import { mailContact } from './ask-to-join.ts';
import { type ClubRequest, lockRequest, recordDecision } from './request-repository.ts';

interface Deps {
  db: Pool;
  clock: Clock;
  by: string;
}

async function waiting(tx: Db, id: string): Promise<ClubRequest> {
  const request = await lockRequest(tx, id);
  if (!request?.confirmedAt) throw new NotFound('The request');
  if (request.decidedAt) throw new Conflict('The request has already been decided.');
  return request;
}

/** Adds the club of a request under a brand and emails its contact. Bank details follow by the usual change. */
export async function approveRequest(
  deps: Deps & { tenants: Tenants },
  id: string,
  { name, slug, tenant: key }: { name: string; slug: string; tenant: string },
): Promise<string> {
  const tenant = deps.tenants.byKey(key);
  if (!tenant || (key !== 'default' && tenant.parentClubId === undefined))
    throw new InvalidInput('That brand has no clubs of its own.', { tenant: 'That brand has no clubs of its own' });
  if (hasEnded(tenant, today(deps.clock)))
    throw new InvalidInput('The campaign of that brand is over.', { tenant: 'The campaign of that brand is over' });
  const at = deps.clock.now();
  return deps.db.begin(async (tx) => {
    const { abn, email: contactEmail, suburb } = await waiting(tx, id);
    const parentId = tenant.parentClubId ?? null;
    const added = await insertClub(tx, deps, { name, slug, abn, contactEmail, suburb, parentId });
    await recordDecision(tx, { id, by: deps.by, at, clubId: added });
    await mailContact(tx, id, 'approved', at);
    return added;
  });
}

/** Refuses a request and emails its contact the reason. */
export function refuseRequest({ db, clock, by }: Deps, id: string, reason: string): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    await waiting(tx, id);
    await recordDecision(tx, { id, by, at, reason });
    await mailContact(tx, id, 'refused', at);
  });
}
