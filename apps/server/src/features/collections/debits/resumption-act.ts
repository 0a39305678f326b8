import { resumeTenant as resumeTenantCall } from '@sparechange/contract/console';
import { longDay, sydneyDay } from '@sparechange/domain';
import { z } from 'zod';
import { type ApprovalDeps, NoLongerPossible, refuseRequestsOf } from '#features/core/approvals/approve.ts';
import { defineAct } from '#features/core/approvals/define-act.ts';
import { resumeTenant, resumptionName } from './suspended-tenants.ts';

/** Ends the suspension that was there when it was asked for, and no later one; other requests to end it are refused. */
export const resumption = defineAct({
  name: resumptionName,
  arguments: z.object({ tenant: z.string(), since: z.coerce.date(), because: z.string().optional() }),
  askedBy: [resumeTenantCall],
  isDecidedByFinance: true,
  carryOut: ({ db, clock }: ApprovalDeps, { tenant, since }, by, { recordEnd }) =>
    db.begin(async (tx) => {
      const isResumed = await resumeTenant(tx, tenant, since);
      if (recordEnd && !isResumed)
        throw new NoLongerPossible('The suspension that this was to end is over already; nothing was done.');
      await recordEnd?.(tx);
      const why = { by, at: clock.now(), because: 'The debits have since been resumed.' };
      if (isResumed) await refuseRequestsOf(tx, resumptionName, why, { tenant });
      return isResumed;
    }),
  describe: async ({ tenants }, { tenant, since, because }) => ({
    Tenant: `${tenants.byKey(tenant)?.name ?? tenant} (${tenant})`,
    'Suspended since': longDay(sydneyDay(since)),
    Because: because,
  }),
});
