import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import type { Tenants } from '#features/tenants/load-tenants.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import { requestDonation } from './request-donation.ts';

const Headers = z.object({ 'idempotency-key': contract.IdempotencyKey.optional() });

export interface DonationDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  /** Submits what is planned soon, without keeping the supporter waiting. */
  submitSoon: () => Promise<void>;
}

export function donationRoutes(serve: Serve, { db, clock, tenants, submitSoon }: DonationDeps): void {
  serve.supporter(contract.donateNow, async ({ values }, { supporterId }, { request }) => {
    const { 'idempotency-key': requestId = randomUUID() } = Headers.parse(request.headers);
    const amount = cents(Math.round(values.amount * 100));
    await requestDonation(db, clock, tenants, supporterId, { amount, requestId });
    await submitSoon(); // also for a repeated request: the first one may have ended before it came to this
    return {};
  });
}
