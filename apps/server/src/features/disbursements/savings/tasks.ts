import type { PayoutDeps } from '#features/core/payouts/payout-kind.ts';
import { depositSavings } from './deposit-savings.ts';

export const savingsTasks = {
  'savings-run': (deps: PayoutDeps) => depositSavings(deps),
};
