import { inPages } from '@sparechange/domain/in-pages';
import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { Turns } from '#db/turns.ts';
import type { Clock } from '#ports/clock.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import { ProviderRefused, ProviderUnavailable } from '#ports/errors.ts';
import { recordCancelledMandate } from './record-cancelled-mandate.ts';

export interface MandateDeps {
  db: Pool;
  clock: Clock;
  directDebit: Pick<DirectDebit, 'endedMandates' | 'isMandateInEffect'>;
}

interface HeldMandate {
  supporterId: string;
  id: string;
  mandateRef: string;
}

/** Lists the mandates in effect in our records. */
const listHeld = (bucket: Pool, mandateRefs: string[]) => bucket<HeldMandate[]>`
  select supporter_id as "supporterId", id, mandate_ref as "mandateRef" from mandates
  where mandate_ref = any(${mandateRefs}) and cancelled_at is null order by supporter_id, id`;

/** Asks the provider first: a payer may have agreed again. */
async function check(
  deps: MandateDeps,
  bucket: Pool,
  mandate: HeldMandate,
  learnedFrom: 'notification' | 'poll',
): Promise<boolean> {
  if (await deps.directDebit.isMandateInEffect(mandate.mandateRef)) return false;
  return bucket.begin((tx) => recordCancelledMandate(tx, deps.clock, mandate, learnedFrom));
}

/** Records a notification's ended mandates. Throws ProviderUnavailable to be retried. */
export async function checkNotifiedMandates(deps: MandateDeps, mandateRefs: string[]): Promise<void> {
  if (mandateRefs.length === 0) return;
  await inEachBucket(deps.db, async (bucket) => {
    for (const mandate of await listHeld(bucket, mandateRefs)) await check(deps, bucket, mandate, 'notification');
  });
}

export interface MandatePoll {
  cancelled: number;
  /** Number of mandates without the provider's answer; the next poll asks again. */
  failed: number;
}

const pageSize = 500;

/** Checks daily for mandates that ended at the provider, so that none is missed when a notification is lost. */
export async function pollMandates(
  deps: MandateDeps,
  onFailure: (supporterId: string, error: Error) => void,
): Promise<MandatePoll> {
  const poll: MandatePoll = { cancelled: 0, failed: 0 };
  const buckets = new Turns(deps.db.inBuckets());
  for await (const page of inPages(deps.directDebit.endedMandates(), pageSize)) {
    await buckets.take(async (bucket) => {
      for (const mandate of await listHeld(bucket, page)) {
        try {
          if (await check(deps, bucket, mandate, 'poll')) poll.cancelled += 1;
        } catch (error) {
          if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error;
          poll.failed += 1;
          onFailure(mandate.supporterId, error);
        }
      }
      return false;
    });
    if (buckets.left.length === 0) break;
  }
  buckets.throwFailures();
  return poll;
}
