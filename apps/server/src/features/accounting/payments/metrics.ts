import type { Gauges } from '#telemetry/gauges.ts';
import { readUnanswered } from './parked-payments.ts';

export function paymentMetrics({ gaugeBy, keptOfAnswering, secondsSince }: Gauges): void {
  const unanswered = keptOfAnswering(60_000, readUnanswered);
  gaugeBy(
    'kind',
    'payments_unknown',
    'Payments without a conclusive answer that are asked for again, by kind.',
    async () => (await unanswered()).map(({ kind, unknown }) => ({ name: kind, value: unknown })),
  );
  gaugeBy('kind', 'payments_unknown_seconds', 'How long the oldest of them has had no conclusive answer.', async () =>
    (await unanswered()).map(({ kind, since }) => ({ name: kind, value: since ? secondsSince(since) : 0 })),
  );
  gaugeBy(
    'kind',
    'payments_parked',
    'Payments that are asked for no more until an operator has looked, by kind.',
    async () => (await unanswered()).map(({ kind, parked }) => ({ name: kind, value: parked })),
  );
}
