import * as contract from '@sparechange/contract/console';
import { namedClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import { testEndpoint } from './deliver-events.ts';
import { listAttempts } from './delivery-repository.ts';
import { listEndpoints } from './endpoint-repository.ts';
import {
  addEndpoint,
  type EndpointDeps,
  removeEndpoint,
  replay,
  rotateEndpoint,
  setEndpointPaused,
} from './endpoints.ts';

/** Serves to owners the endpoints of programs and their deliveries. */
export function endpointRoutes(serve: ServeConsole, deps: EndpointDeps): void {
  const { db, clock } = deps;

  serve.person(contract.listWebhookEndpoints, async () => {
    const now = clock.now();
    const endpoints = await listEndpoints(db);
    const clubs = await namedClubs(
      db,
      endpoints.map(({ clubId }) => clubId),
    );
    const rows = endpoints.map(({ clubId, createdAt: _, pausedAt, formerUntil, ...endpoint }) => ({
      ...endpoint,
      club: clubs.get(clubId ?? '') ?? null,
      pausedAt: pausedAt?.toISOString() ?? null,
      formerUntil: formerUntil && formerUntil > now ? formerUntil.toISOString() : null,
    }));
    return { rows, next: null };
  });

  serve.person(contract.addWebhookEndpoint, (request, caller) => addEndpoint(deps, request, consoleActor(caller)));

  serve.person(contract.testWebhookEndpoint, ({ endpointId }) => testEndpoint(deps, endpointId));

  serve.person(contract.pauseWebhookEndpoint, async ({ endpointId: id, isPaused }, caller) => {
    await setEndpointPaused(deps, { id, isPaused }, consoleActor(caller));
    return {};
  });

  serve.person(contract.rotateWebhookSecret, ({ endpointId: id, overlapHours }, caller) =>
    rotateEndpoint(deps, { id, overlapHours }, consoleActor(caller)),
  );

  serve.person(contract.removeWebhookEndpoint, async ({ endpointId }, caller) => {
    await removeEndpoint(deps, endpointId, consoleActor(caller));
    return {};
  });

  serve.person(contract.listWebhookAttempts, async ({ limit, ...filter }) => {
    const attempts = await listAttempts(db, { ...filter, limit: limit + 1 });
    const rows = attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() }));
    return pageOf(rows, limit, ({ id }) => id);
  });

  serve.person(contract.replayWebhooks, async (request, caller) => ({
    queued: await replay(deps, request, consoleActor(caller)),
  }));
}
