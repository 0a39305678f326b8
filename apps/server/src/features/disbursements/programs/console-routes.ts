import * as contract from '@sparechange/contract/console';
import { namedClubs } from '#features/beneficiaries/clubs/club-repository.ts';
import type { AskedFor, Tried } from '#features/core/approvals/approved-acts.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { apiKey, keyRotation } from './key-acts.ts';
import { type ApiKey, listKeys } from './key-repository.ts';
import { type KeyDeps, keyInWords, revokeKey, type ShownKey } from './keys.ts';

interface KeyRouteDeps extends KeyDeps {
  acts: AskedFor<{ apiKey: typeof apiKey; keyRotation: typeof keyRotation }>;
  productUrl: string;
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): contract.ApiKey['state'] {
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'valid';
}

function presentShown(tried: Tried<ShownKey>): contract.KeyOrAsked {
  if ('approval' in tried) {
    const { id, expiresAt } = tried.approval;
    return { key: null, asked: { id, expiresAt: expiresAt.toISOString() } };
  }
  const { id, text, expiresAt } = tried.result;
  return { key: { id, text, expiresAt: expiresAt.toISOString() }, asked: null };
}

/** Returns until when the former secret is also valid; that of a revoked key is not. */
const overlapOf = ({ revokedAt, formerUntil }: ApiKey, now: Date): string | null =>
  !revokedAt && formerUntil && formerUntil > now ? formerUntil.toISOString() : null;

/** Serves keys of programs to owners. */
export function keyRoutes(serve: ServeConsole, { db, clock, acts, productUrl }: KeyRouteDeps): void {
  serve.person(contract.listApiKeys, async () => {
    const now = clock.now();
    const keys = await listKeys(db);
    const clubs = await namedClubs(
      db,
      keys.map(({ clubId }) => clubId),
    );
    const rows = keys.map((key) => ({
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      club: clubs.get(key.clubId ?? '') ?? null,
      state: stateOf(key, now),
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt.toISOString(),
      usedAt: key.usedAt?.toISOString() ?? null,
      formerUntil: overlapOf(key, now),
    }));
    return { rows, next: null };
  });

  serve.person(contract.createApiKey, async (request, caller) =>
    presentShown(await acts.apiKey(consoleActor(caller), request, keyInWords(request))),
  );

  serve.person(contract.rotateApiKey, async (request, caller) =>
    presentShown(await acts.keyRotation(consoleActor(caller), request, `Another secret of API key ${request.id}`)),
  );

  serve.person(contract.revokeApiKey, async ({ id }, caller) => {
    await revokeKey({ db, clock }, id, consoleActor(caller));
    return {};
  });

  serve.person(contract.retrieveProgramApi, async () => ({
    url: new URL('/api/v1', productUrl).href,
    descriptionUrl: new URL('/api/v1/openapi.json', productUrl).href,
  }));
}
