import type { FastifyInstance } from 'fastify';
import { networkOf, siteOf } from '#identity/network.ts';
import { networksPerSite } from './call-limits.ts';
import { tooManyRequests } from './errors.ts';
import { isFor } from './match-route.ts';

/** As generous as the limit of calls: schools share one address, and a first visit asks for some forty files. */
const ofNetwork = { burst: 3_000, perSecond: 50 };
const ofSite = { burst: ofNetwork.burst * networksPerSite, perSecond: ofNetwork.perSecond * networksPerSite };
const maxKept = 20_000;

/** Probes and providers, which are few and must be let through, and calls limited elsewhere (http/call-limits.ts). */
const notPages =
  /^\/(healthz$|readyz$|webhooks\/|vitals$|bank-details\/)|^\/((console\/)?api|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)\//;

/** Token buckets of this process alone: pages are served without the database, so that their limit may not ask it. */
function localBuckets() {
  const buckets = new Map<string, { left: number; at: number }>();
  /** Takes one; returns false if there is none. */
  return (name: string, { burst, perSecond }: typeof ofNetwork, now: number): boolean => {
    const held = buckets.get(name) ?? { left: burst, at: now };
    const left = Math.min(burst, held.left + ((now - held.at) / 1_000) * perSecond);
    buckets.delete(name); // so that the first one is who has not come for longest
    for (const oldest of buckets.keys()) {
      if (buckets.size < maxKept) break;
      buckets.delete(oldest);
    }
    buckets.set(name, { left: left < 1 ? left : left - 1, at: now });
    return left >= 1;
  };
}

/** Limits pages, files and pictures by network address; `factor` widens the limit, 0 turns it off. */
export function limitPages(app: FastifyInstance, factor = 1): void {
  if (factor === 0) return;
  const take = localBuckets();
  const widened = ({ burst, perSecond }: typeof ofNetwork) => ({
    burst: burst * factor,
    perSecond: perSecond * factor,
  });
  const [network, wholeSite] = [widened(ofNetwork), widened(ofSite)];
  app.addHook('onRequest', (request, reply, done) => {
    if (isFor(notPages, request)) return done();
    const now = performance.now();
    const site = siteOf(request.ip);
    if (take(networkOf(request.ip), network, now) && (!site || take(`site ${site}`, wholeSite, now))) return done();
    reply.header('retry-after', '1');
    done(tooManyRequests(1));
  });
}
