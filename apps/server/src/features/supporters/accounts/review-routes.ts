import * as contract from '@sparechange/contract/console';
import type { Pool } from '#db/connect.ts';
import { listFromAnswering } from '#db/silent-nodes.ts';
import { Conflict, NotFound } from '#errors.ts';
import { pageOf } from '#http/page-of.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import type { Enqueue } from '#ports/enqueue.ts';
import {
  cursorOf,
  decideReviews,
  findOpenReview,
  listOpenReviews,
  lookUpHolder,
  type OpenReview,
} from './holder-review.ts';

interface ReviewRouteDeps {
  db: Pool;
  clock: Clock;
  bankLink: BankLink;
  enqueue: Enqueue;
}

const present = ({ accountId, askedAt, ...review }: OpenReview) => ({
  ...review,
  id: accountId,
  askedAt: askedAt.toISOString(),
});

/** Serves reviews of accounts to be debited in another name than the supporter's. */
export function holderReviewRoutes(serve: ServeConsole, { db, clock, bankLink, enqueue }: ReviewRouteDeps): void {
  serve.person(contract.listHolderReviews, ({ limit, after }) =>
    listFromAnswering(db, async (answering) => {
      const { rows, next } = pageOf(await listOpenReviews(answering, { after, limit: limit + 1 }), limit, cursorOf);
      return { rows: rows.map(present), next };
    }),
  );

  serve.person(contract.lookUpAccountHolder, async ({ supporterId, accountId }) => {
    const review = await findOpenReview(db.of(supporterId), supporterId, accountId);
    if (!review) throw new NotFound('The account that waits');
    return { holder: (await lookUpHolder(bankLink, review)) ?? null };
  });

  for (const [operation, decision] of [
    [contract.approveHolderReview, 'approved'],
    [contract.refuseHolderReview, 'refused'],
  ] as const)
    serve.person(operation, async ({ supporterId, accountId }, caller) => {
      const of = { decision, accountId, by: consoleActor(caller) };
      const decided = await decideReviews({ db: db.of(supporterId), clock }, supporterId, of);
      if (decided === 0) throw new Conflict('The account is no longer waiting for a decision.');
      await enqueue.sendMails();
      return {};
    });
}
