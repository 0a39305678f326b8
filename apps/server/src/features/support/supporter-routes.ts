import * as contract from '@sparechange/contract/console';
import { listFromAnswering } from '#db/silent-servers.ts';
import { cursorOf, type FoundSupporter, listNewest, searchSupporters } from '#features/supporters/search-supporters.ts';
import { getSupporter } from '#features/supporters/user-record.ts';
import { buildTimeline } from '#features/timeline/build-timeline.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { describeSupporter, type SupportDeps } from './describe-supporter.ts';

/** Longest timeline that is shown; `ops supporter timeline` has all of it. */
const maxEvents = 1_000;

const present = ({ supporterId, firstName, lastName, ...supporter }: FoundSupporter) => ({
  ...supporter,
  id: supporterId,
  name: `${firstName} ${lastName}`.trim(),
});

export function supporterRoutes(serve: ServeConsole, deps: SupportDeps): void {
  const { db } = deps;

  serve.person(contract.listSupporters, ({ search, limit, after, state }) =>
    listFromAnswering(db, async (answering) => {
      if (search) {
        const { supporters } = await searchSupporters(answering, search, limit, state);
        return { rows: supporters.map(present), next: null };
      }
      const { rows, next } = pageOf(await listNewest(answering, { after, limit: limit + 1, state }), limit, cursorOf);
      return { rows: rows.map(present), next };
    }),
  );

  serve.person(contract.retrieveSupporter, ({ supporterId }) => describeSupporter(deps, supporterId));

  serve.person(contract.retrieveTimeline, async ({ supporterId }) => {
    const bucket = db.of(supporterId);
    await getSupporter(bucket, supporterId);
    const { events, auditLog } = await buildTimeline(bucket, supporterId);
    const shown = events.slice(-maxEvents).reverse();
    return {
      events: shown.map(({ at, on, sentence }, place) => ({
        number: events.length - place,
        at,
        on: on ?? null,
        sentence,
      })),
      leftOut: events.length - shown.length,
      isWhole: auditLog.isWhole,
    };
  });
}
