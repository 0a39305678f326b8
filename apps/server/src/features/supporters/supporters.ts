import { holderReviewRoutes } from './accounts/review-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { consentPageRoutes, consentRoutes } from './consents/routes.ts';
import { handOffRoutes } from './handoff/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import { offboardingRoutes } from './offboarding/routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { roundUpRoutes } from './round-ups/routes.ts';

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
};
