import * as contract from '@sparechange/contract/console';
import { actorName } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { type ConsoleCaller, consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { BusinessRegister } from '#ports/business-register.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import type { Tenants } from '#tenants/load-tenants.ts';
import { approveRequest, refuseRequest } from './decide-request.ts';
import { countWaiting, findRequest, listWaiting } from './request-repository.ts';

interface RequestDeps {
  db: Pool;
  clock: Clock;
  tenants: Tenants;
  sendMails: () => Promise<void>;
  businessRegister?: BusinessRegister | undefined;
}

/** Serves the requests of clubs that wait for an operator. */
export function clubRequestConsoleRoutes(serve: ServeConsole, deps: RequestDeps): void {
  const { db, sendMails, businessRegister } = deps;
  const deciding = (caller: ConsoleCaller) => ({ ...deps, by: actorName(consoleActor(caller)) });

  serve.person(contract.listClubRequests, async ({ limit, after }) => {
    const found = await listWaiting(db, { after, limit: limit + 1 });
    const rows = found.slice(0, limit).map((request) => ({ ...request, askedAt: request.askedAt.toISOString() }));
    const next = found.length > limit ? (rows.at(-1)?.id ?? null) : null;
    return { rows, next, count: await countWaiting(db) };
  });

  serve.person(
    contract.lookUpAbn,
    async ({ requestId }, _caller, { request: { log } }): Promise<contract.AbnAnswer> => {
      const request = await findRequest(db, requestId);
      if (!request) throw new NotFound('The request');
      if (!businessRegister) return { state: 'not_configured', name: null };
      try {
        const found = await businessRegister.find(request.abn);
        if (!found) return { state: 'unknown', name: null };
        return { state: found.isActive ? 'active' : 'cancelled', name: found.name };
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        log.warn({ err: error }, 'the business register could not be asked');
        return { state: 'unavailable', name: null };
      }
    },
  );

  serve.person(contract.approveClubRequest, async ({ requestId, ...club }, caller) => {
    const clubId = await approveRequest(deciding(caller), requestId, club);
    await sendMails();
    return { clubId };
  });

  serve.person(contract.refuseClubRequest, async ({ requestId, reason }, caller) => {
    await refuseRequest(deciding(caller), requestId, reason);
    await sendMails();
    return {};
  });
}
