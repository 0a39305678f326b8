import * as contract from '@sparechange/contract/console';
import { isoDate, periodOf } from '@sparechange/domain';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { NotFound, unknownPage } from '#errors.ts';
import { buildTimeline, textHashOf } from '#features/core/timeline/build-timeline.ts';
import { findRequestText } from '#features/correspondence/direct-debit-request/request-text.ts';
import {
  cursorOf,
  type FoundSupporter,
  listNewest,
  searchSupporters,
} from '#features/supporters/profiles/search-supporters.ts';
import { getSupporter } from '#features/supporters/profiles/user-record.ts';
import { issueReceipt, type ReceiptDeps, receiptFileName } from '#features/supporters/receipts/issue-receipt.ts';
import { listReceipts } from '#features/supporters/receipts/list-receipts.ts';
import { fileAnswer } from '#http/file-answer.ts';
import { pageOf } from '#http/page-of.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { describeSupporter, type SupportDeps } from './describe-supporter.ts';

/** Maximum timeline shown; `ops supporter timeline` has all of it. */
const maxEvents = 1_000;

export function supporterRoutes(serve: ServeConsole, deps: SupportDeps & ReceiptDeps): void {
  const { db, tenants } = deps;
  const present = ({ supporterId, firstName, lastName, tenant, ...supporter }: FoundSupporter) => ({
    ...supporter,
    id: supporterId,
    name: `${firstName} ${lastName}`.trim(),
    tenant: tenants.byKey(tenant)?.name ?? tenant,
  });
  const findBucket = async (supporterId: string) => {
    const bucket = db.of(supporterId);
    await getSupporter(bucket, supporterId);
    return bucket;
  };

  serve.person(contract.listSupporters, ({ search, limit, after, state }) =>
    listFromAnswering(db, async (answering) => {
      // Pages of a search begin at a number of rows, of which there are few.
      if (after !== undefined && after.includes('.') === Boolean(search)) throw unknownPage();
      if (search) {
        const skipped = Number(after ?? 0);
        const { supporters } = await searchSupporters(answering, search, skipped + limit + 1, state);
        const { rows, next } = pageOf(supporters.slice(skipped), limit, () => String(skipped + limit));
        return { rows: rows.map(present), next };
      }
      const { rows, next } = pageOf(await listNewest(answering, { after, limit: limit + 1, state }), limit, cursorOf);
      return { rows: rows.map(present), next };
    }),
  );

  serve.person(contract.retrieveSupporter, ({ supporterId }) => describeSupporter(deps, supporterId));

  serve.person(contract.retrieveTimeline, async ({ supporterId }) => {
    const { events, auditLog } = await buildTimeline(await findBucket(supporterId), supporterId);
    const shown = events.slice(-maxEvents).reverse();
    return {
      events: shown.map(({ at, on, sentence, fact }, place) => ({
        number: events.length - place,
        at,
        on: on ?? null,
        sentence,
        textHash: textHashOf(fact),
      })),
      leftOut: events.length - shown.length,
      isWhole: auditLog.isWhole,
    };
  });

  serve.person(contract.retrieveRequestText, async ({ hash }) => {
    const text = await findRequestText(db, hash);
    if (!text) throw new NotFound('The text');
    return text;
  });

  serve.person(contract.listSupporterReceipts, async ({ supporterId }) => ({
    receipts: await listReceipts(await findBucket(supporterId), supporterId),
  }));

  serve.person(contract.downloadSupporterReceipt, async ({ supporterId, kind, firstDay }) => {
    const period = periodOf(kind, isoDate(firstDay));
    const receipt = await issueReceipt({ ...deps, db: await findBucket(supporterId) }, supporterId, period);
    return fileAnswer(receiptFileName(period, receipt), receipt.pdf);
  });
}
