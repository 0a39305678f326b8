import type { InputOf, register } from '@sparechange/contract';
import type { Caller } from '#caller.ts';
import type { Db } from '#db/connect.ts';
import { Conflict, InvalidInput, NotAllowed } from '#errors.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { keptAddress } from '#kept-address.ts';
import { type Clock, today } from '#ports/clock.ts';
import { clubEnd, isOver } from '#tenants/campaign-end.ts';
import { hasEnded, refuseOtherTenantA, type Tenant, type Tenants } from '#tenants/load-tenants.ts';

export interface RegistrationDeps {
  db: Db;
  clock: Clock;
  tenants: Tenants;
}

/**
 * Creates the supporter of an identity user. Throws Conflict if there is one, except for a repeat of the request that
 * created it, whose answer may have been lost. Nothing is changed either way (docs/decisions/identity.md#registration).
 */
export async function registerSupporter(
  { db, clock, tenants }: RegistrationDeps,
  tenant: Tenant,
  caller: Caller,
  form: InputOf<typeof register>,
  requestId: string | undefined,
): Promise<string> {
  const campaignEnded = () => new NotAllowed('This campaign has ended.', 'campaign-ended');
  const day = today(clock);
  if (hasEnded(tenant, day)) throw campaignEnded();
  refuseOtherTenantA(tenant, form.tenantA);
  const club = await findClub(db, form.supportingClubId);
  if (!club) throw new InvalidInput('The club is not known.', { supportingClubId: 'The club is not known.' });
  if (isOver(clubEnd(tenants.list(), club), day)) throw campaignEnded();
  const added = await db`
    insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, referrer, registered_at,
      registration_key, debit_notice_frequency, debit_notices_by_worth)
    values (${caller.supporterId}, ${caller.uid}, ${keptAddress(caller.email)}, ${form.firstName}, ${form.lastName},
      ${form.mobile}, ${tenant.key}, ${form.supportingClubId}, ${form.referrer ?? null}, ${clock.now()}, ${requestId ?? null}, 'weekly', true)
    on conflict (supporter_id) do nothing`;
  if (added.count === 0 && !(await isRepeat(db, caller.supporterId, requestId))) {
    throw new Conflict('This address is already registered.');
  }
  return caller.supporterId;
}

async function isRepeat(db: Db, supporterId: string, requestId: string | undefined): Promise<boolean> {
  if (requestId === undefined) return false;
  const [known] = await db`
    select from supporters where supporter_id = ${supporterId} and registration_key = ${requestId}`;
  return known !== undefined;
}
