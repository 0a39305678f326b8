import type { InputOf, register } from '@sparechange/contract';
import type { Db } from '#db/connect.ts';
import { findClub } from '#features/clubs/club-repository.ts';
import { hasEnded, type Tenant, tenantA } from '#features/tenants/load-tenants.ts';
import type { Caller } from '#http/caller.ts';
import { invalidInput, Refusal } from '#http/errors.ts';
import { type Clock, today } from '#ports/clock.ts';

/**
 * Makes the supporter of an identity user. Again with the same user it changes nothing, so that a registration that
 * failed half-way can simply be repeated (design section 6).
 */
export async function registerSupporter(
  db: Db,
  clock: Clock,
  tenant: Tenant,
  caller: Caller,
  form: InputOf<typeof register>,
): Promise<string> {
  if (hasEnded(tenant, today(clock))) throw new Refusal(403, 'campaign-ended', 'This campaign has ended.');
  if (form.tenantA !== tenantA(tenant)) throw invalidInput('tenantA does not belong to the tenant header.');
  if (!(await findClub(db, form.supportingClubId))) {
    throw invalidInput('The club is not known.', { supportingClubId: 'The club is not known.' });
  }
  await db`
    insert into supporters (supporter_id, uid, email, first_name, last_name, mobile, tenant_key, club_id, referrer, registered_at)
    values (${caller.supporterId}, ${caller.uid}, ${caller.email.toLowerCase()}, ${form.firstName}, ${form.lastName},
      ${form.mobile}, ${tenant.key}, ${form.supportingClubId}, ${form.referrer ?? null}, ${clock.now()})
    on conflict (supporter_id) do nothing`;
  return caller.supporterId;
}
