import * as contract from '@sparechange/contract';
import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import { markDue } from '#features/core/supporter-work/work-repository.ts';
import { userAnswer } from '#features/supporters/profiles/user-record.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { completeOnboarding } from './complete-onboarding.ts';
import { registerSupporter } from './register-supporter.ts';

const Headers = z.object({ 'idempotency-key': contract.IdempotencyKey.optional() });

export interface OnboardingDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

export function onboardingRoutes(serve: Serve, deps: OnboardingDeps): void {
  const { db, clock } = deps;
  serve.supporter(contract.register, async (form, caller, { tenant, request }) => {
    const { 'idempotency-key': requestId } = Headers.parse(request.headers);
    return { CDRID: await registerSupporter(deps, tenant, caller, form, requestId) };
  });

  serve.supporter(contract.onboardingComplete, async ({ syncBeginningOfMonth }, caller) => {
    await completeOnboarding(db, clock, caller.supporterId, syncBeginningOfMonth);
    await markDue(db, 'sync', caller.supporterId, clock.now());
    return userAnswer(deps, caller.supporterId);
  });
}
