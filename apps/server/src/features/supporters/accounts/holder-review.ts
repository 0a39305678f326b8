import { type Actor, actorName, appendToAuditLog } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { rowsOf, sumsOf } from '#db/in-each-bucket.ts';
import { Conflict } from '#errors.ts';
import { queueEmail } from '#features/correspondence/emails/queue-email.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { Clock } from '#ports/clock.ts';
import { ProviderUnavailable } from '#ports/errors.ts';

interface ReviewDeps {
  db: Pool;
  clock: Clock;
}

/**
 * Throws Conflict for an account in another name unless an operator approved it: `holder-differs` while it awaits
 * review, for which it is queued, and `holder-refused` after a refusal.
 */
export async function refuseUnlessApproved(
  { db, clock }: ReviewDeps,
  supporterId: string,
  accountId: string,
): Promise<void> {
  await db`
    insert into holder_reviews (supporter_id, account_id, asked_at) values (${supporterId}, ${accountId}, ${clock.now()})
    on conflict do nothing`;
  const [review] = await db<{ decision: string | null }[]>`
    select decision from holder_reviews where supporter_id = ${supporterId} and account_id = ${accountId}`;
  if (review?.decision === 'approved') return;
  if (review?.decision === 'refused')
    throw new Conflict('The account is in another name, and an operator refused it.', 'holder-refused');
  throw new Conflict('The account is in another name; an operator decides.', 'holder-differs');
}

export interface OpenReview {
  supporterId: string;
  email: string;
  name: string;
  accountId: string;
  providerAccountId: string;
  bankCustomerId: string;
  accountName: string;
  maskedNumber: string;
  askedAt: Date;
}

const open = (db: Db) => db`
  holder_reviews join supporters using (supporter_id) join accounts using (supporter_id)
  where accounts.id = holder_reviews.account_id and decision is null and closed_on is null`;

const selectOpen = (db: Db, which: ReturnType<Db>, limit: number) => db<OpenReview[]>`
  select supporter_id as "supporterId", email, first_name || ' ' || last_name as name, account_id as "accountId",
    provider_account_id as "providerAccountId", bank_customer_id as "bankCustomerId", accounts.name as "accountName",
    masked_number as "maskedNumber", asked_at as "askedAt"
  from ${open(db)} and ${which}
  order by asked_at, supporter_id, account_id limit ${limit}`;

/** Returns the cursor of the next page. */
export const cursorOf = ({ askedAt, supporterId, accountId }: OpenReview): string =>
  `${askedAt.getTime()}.${supporterId}.${accountId}`;

/** Lists accounts awaiting review, longest waiting first: from the beginning, or after one of them. */
export async function listOpenReviews(
  pool: Pool,
  { after, limit = 100 }: { after?: string | undefined; limit?: number } = {},
): Promise<OpenReview[]> {
  const [at, supporter = '', account = ''] = after?.split('.') ?? [];
  const list = (db: Db) => {
    const isAfter = db`(asked_at, supporter_id, account_id) > (${new Date(Number(at))}, ${supporter}, ${account})`;
    return selectOpen(db, at ? isAfter : db`true`, limit);
  };
  const reviews = await rowsOf(pool.inBuckets(), list);
  const place = (review: OpenReview) => `${review.askedAt.toISOString()} ${review.supporterId} ${review.accountId}`;
  return reviews.sort((one, other) => (place(one) < place(other) ? -1 : 1)).slice(0, limit);
}

/** Counts accounts awaiting review. */
export async function countOpenReviews(pool: Pool): Promise<number> {
  const count = (db: Db) => db<{ reviews: number }[]>`select count(*)::int as reviews from ${open(db)}`;
  return sumsOf(await rowsOf(pool.inBuckets(), count)).reviews;
}

/** Finds the open review of one account. */
export async function findOpenReview(db: Db, supporterId: string, accountId: string): Promise<OpenReview | undefined> {
  const [review] = await selectOpen(db, db`supporter_id = ${supporterId} and account_id = ${accountId}`, 1);
  return review;
}

/** Asks the bank for the holder's name, without storing it; undefined if it names nobody. */
export async function lookUpHolder(
  bankLink: BankLink,
  { bankCustomerId, providerAccountId }: OpenReview,
): Promise<string | undefined> {
  const accounts = await bankLink.listAccounts(bankCustomerId);
  return accounts.find(({ id }) => id === providerAccountId)?.holder;
}

/** Unanswered calls after which the bank is asked for no further holder: each takes half a minute to fail. */
const maxUnanswered = 3;

/** Lists accounts awaiting review with the holder that the bank names, if any, and counts those left out. */
export async function listWithHolders({ db, bankLink }: { db: Pool; bankLink: BankLink }, limit = 100) {
  const waiting: (OpenReview & { holder: string | undefined })[] = [];
  let unanswered = 0;
  for (const review of await listOpenReviews(db, { limit })) {
    const asked = unanswered < maxUnanswered ? lookUpHolder(bankLink, review) : undefined;
    const holder = await asked?.catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) unanswered += 1;
      return undefined;
    });
    waiting.push({ ...review, holder });
  }
  return { waiting, left: Math.max(0, (await countOpenReviews(db)) - waiting.length) };
}

interface Decision {
  decision: 'approved' | 'refused';
  /** Account to decide on; all waiting accounts of the supporter if absent. */
  accountId?: string;
  by?: Actor;
}

/** Decides a supporter's open reviews and emails them; returns the number of accounts. */
export function decideReviews(
  { db, clock }: ReviewDeps,
  supporterId: string,
  { decision, accountId: only, by }: Decision,
): Promise<number> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const decided = await tx<{ accountId: string }[]>`
      update holder_reviews set decision = ${decision}, decided_at = ${at}
      where supporter_id = ${supporterId} and decision is null and account_id = coalesce(${only ?? null}, account_id)
      returning account_id as "accountId"`;
    for (const { accountId } of decided) {
      const action = `${decision} a funding account in another name`;
      const details = { account: accountId, ...(by && { by: actorName(by) }) };
      await appendToAuditLog(tx, { supporterId, at, actor: 'operator', action, details });
      const facts = { kind: 'holder_decided', isApproved: decision === 'approved' } as const;
      await queueEmail(tx, { supporterId, key: `holder_decided ${accountId}`, facts, at });
    }
    return decided.length;
  });
}
