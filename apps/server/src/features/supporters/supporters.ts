import { holderReviewRoutes } from './accounts/review-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { consentPageRoutes, consentRoutes } from './consents/routes.ts';
import { consentWork } from './consents/work.ts';
import { handOffRoutes } from './handoff/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import { offboardingRoutes } from './offboarding/routes.ts';
import { consentTasks } from './offboarding/tasks.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { onboardingTasks } from './onboarding/tasks.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { retentionTasks } from './retention/tasks.ts';
import { roundUpRoutes } from './round-ups/routes.ts';
import type { SyncDeps } from './round-ups/sync-purchases.ts';
import { roundUpTasks } from './round-ups/tasks.ts';
import { roundUpWork } from './round-ups/work.ts';

/** Supporters, from their registration until they leave. */
export const supporters = {
  routes: [
    identityRoutes,
    onboardingRoutes,
    consentRoutes,
    offboardingRoutes,
    accountRoutes,
    roundUpRoutes,
    receiptRoutes,
    handOffRoutes,
  ],
  publicRoutes: [consentPageRoutes],
  consoleRoutes: [holderReviewRoutes],
  tasks: { ...consentTasks, ...onboardingTasks, ...retentionTasks, ...roundUpTasks },
  work: (deps: SyncDeps) => ({ ...consentWork(deps), ...roundUpWork(deps) }),
};
