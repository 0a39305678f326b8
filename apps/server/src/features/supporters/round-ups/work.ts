import type { Work } from '#features/core/supporter-work/do-work.ts';
import { type SyncDeps, syncPurchases } from './sync-purchases.ts';

export const roundUpWork = (deps: SyncDeps) => ({
  sync: (async (supporterId) => {
    const { isAsked } = await syncPurchases({ ...deps, db: deps.db.of(supporterId) }, supporterId);
    return isAsked ? 'asked' : 'not asked';
  }) satisfies Work,
});
