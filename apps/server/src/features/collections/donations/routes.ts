import { randomUUID } from 'node:crypto';
import * as contract from '@sparechange/contract';
import { cents } from '@sparechange/domain';
import { z } from 'zod';
import type { Pool } from '#db/connect.ts';
import type { Serve } from '#http/serve.ts';
import type { Clock } from '#ports/clock.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { requestDonation, undoableForMs } from './request-donation.ts';
import { undoDonation } from './undo-donation.ts';

const Headers = z.object({ 'idempotency-key': contract.IdempotencyKey.optional() });

export interface DonationDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
}

export function donationRoutes(serve: Serve, { db, clock, tenants }: DonationDeps): void {
  serve.supporter(contract.donateNow, async ({ values }, { supporterId }, { request }) => {
    const { 'idempotency-key': requestId = randomUUID() } = Headers.parse(request.headers);
    const amount = cents(Math.round(values.amount * 100));
    await requestDonation(db, clock, tenants, supporterId, { amount, requestId, heldForMs: undoableForMs });
    return {};
  });

  serve.supporter(contract.undoDonation, async ({ requestId }, { supporterId }) => {
    await undoDonation(db, clock, supporterId, requestId);
    return {};
  });
}
