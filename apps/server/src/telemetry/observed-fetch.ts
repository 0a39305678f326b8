import type { Logger } from 'pino';
import { inSpan } from '#ports/spans.ts';
import type { ProductMetrics } from './product-metrics.ts';

/** Counted from 0 on: a series that is born with its first failure never shows a growth. */
const failures = ['500', '502', '503', '504', 'no answer'];

/**
 * `fetch` that counts and times each try of a call to an outside service and logs it with the request or job it is
 * for. Neither address nor body is logged: both hold people's ids.
 */
export function observedFetch(provider: string, log: Logger, metrics: ProductMetrics): typeof fetch {
  for (const method of ['GET', 'POST'])
    for (const outcome of failures) metrics.providerCalls.inc({ provider, method, outcome }, 0);
  return async (input, init) => {
    const startedAt = performance.now();
    const method = init?.method ?? 'GET';
    const end = (outcome: string) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.providerCalls.inc({ provider, method, outcome });
      metrics.providerSeconds.observe({ provider, method }, seconds);
      log.info({ provider, method, outcome, ms: Math.round(seconds * 1_000) }, 'provider call');
    };
    try {
      const attributes = { 'peer.service': provider, 'http.request.method': method };
      const response = await inSpan(
        () => ({ name: `${method} ${provider}`, kind: 'client', attributes }),
        () => fetch(input, init),
      );
      end(String(response.status));
      return response;
    } catch (error) {
      end('no answer');
      throw error;
    }
  };
}
