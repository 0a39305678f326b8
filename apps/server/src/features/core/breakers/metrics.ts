import type { Gauges } from '#telemetry/gauges.ts';
import { findOpenBreaker } from './provider-breakers.ts';

export function breakerMetrics({ db, flag }: Gauges): void {
  flag('bank_link_breaker_open', '1 while the bank link answers nobody.', () => findOpenBreaker(db, 'bank_link'));
  flag('direct_debit_breaker_open', '1 while the provider answers no payment.', () =>
    findOpenBreaker(db, 'direct_debit'),
  );
}
