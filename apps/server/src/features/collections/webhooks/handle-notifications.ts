import { setTimeout as pause } from 'node:timers/promises';
import { breakerState } from '@sparechange/domain/circuit-breaker';
import type { Pool } from '#db/connect.ts';
import { inEachBucket } from '#db/in-each-bucket.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { checkNotifiedMandates } from '#features/collections/debits/check-mandates.ts';
import { applyOutcomes } from '#features/collections/outcomes/apply-outcome.ts';
import type { PollDeps } from '#features/collections/outcomes/poll-outcomes.ts';
import { bankLinkBreaker } from '#features/core/breakers/bank-link-breaker.ts';
import { findOpenBreaker } from '#features/core/breakers/provider-breakers.ts';
import { type CustomersWork, markDueOfCustomers } from '#features/core/supporter-work/work-repository.ts';
import type { BankLink, BankNotification } from '#ports/bank-link.ts';
import type { Outcome } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { type BankNotifier, type Notifiers, notifierOf, type Provider } from '#ports/notifier.ts';
import { recordFailure } from './failed-notifications.ts';

export interface NotificationDeps extends Omit<PollDeps, 'log'> {
  bankLink: BankLink;
  callsInFlight: number;
  notifiers: Notifiers;
}

/**
 * Stores a verified notification before it is answered; a repeated one, by id or by signed content, changes nothing.
 */
export async function keepNotification(
  db: Pool,
  provider: Provider,
  id: string,
  body: unknown,
  now: Date,
  signedHash: string | null = null,
): Promise<void> {
  await db`
    insert into notifications (provider, id, body, received_at, signed_hash)
    values (${provider}, ${id}, ${db.json(body as Parameters<typeof db.json>[0])}, ${now}, ${signedHash})
    on conflict do nothing`;
}

interface Kept {
  provider: Provider;
  id: string;
  body: unknown;
  receivedAt: Date;
}

const pageSize = 500;
const maxPaymentNotifications = 50;
/**
 * Time within which handled notifications are marked as done together; after a crash, handling again changes nothing.
 */
const finishEveryMs = 1_000;

/** A handled notification, and the work that it makes due. */
interface Handled {
  notification: Kept;
  work?: CustomersWork | undefined;
}

/**
 * Handles a provider's stored, open notifications. One that cannot be handled does not block the others; it is tried
 * again the next time, and thrown at the end; an unresponsive bank link is left alone. Returns undefined, with nothing
 * done, while another process handles this provider's.
 */
export async function handleNotifications(deps: NotificationDeps, provider: Provider): Promise<number | undefined> {
  const notifier = notifierOf(deps.notifiers, provider);
  return withSessionLock(deps.db, `handle notifications of ${provider}`, () =>
    notifier.reports === 'payments'
      ? handlePaymentNotifications(deps, provider)
      : handleBankNotifications(deps, provider, notifier),
  );
}

const minuteMs = 60_000;

/** Lists providers with a notification waiting for over a minute, as its job was lost, though calls are allowed. */
export async function listWaitingProviders({
  db,
  clock,
  notifiers,
}: Pick<NotificationDeps, 'db' | 'clock' | 'notifiers'>): Promise<Provider[]> {
  const now = clock.now();
  const open = await db<{ provider: Provider; newestAt: Date }[]>`
    select provider, max(received_at) as "newestAt" from notifications
    where handled_at is null and received_at <= ${new Date(now.getTime() - minuteMs)} group by provider order by provider`;
  const isBankLinkOpen = breakerState(await findOpenBreaker(db, 'bank_link'), now) === 'open';
  return open
    .filter(({ provider, newestAt }) => {
      const notifier = notifiers[provider];
      if (!notifier || (notifier.reports === 'bank data' && isBankLinkOpen)) return false;
      return now.getTime() - newestAt.getTime() <= notifier.retriedForMs;
    })
    .map(({ provider }) => provider);
}

/** Applies payment outcomes in order, a page at a time: each bucket is queried once per page. */
async function handlePaymentNotifications(deps: NotificationDeps, provider: Provider): Promise<number> {
  const failures: unknown[] = [];
  let count = 0;
  for await (const page of openPages(deps.db, provider, maxPaymentNotifications)) {
    const handled = await handlePayments(deps, page, failures);
    await saveHandled(deps, handled);
    count += handled.length;
  }
  throwFailures(failures);
  return count;
}

/** Returns the handled ones: together, or one by one if one of them fails. */
async function handlePayments(deps: NotificationDeps, page: Kept[], failures: unknown[]): Promise<Kept[]> {
  try {
    const read = page.map(({ body }) => readPaymentNotification(body));
    await applyOutcomes(
      deps,
      read.flatMap(({ outcomes }) => outcomes),
    );
    await checkNotifiedMandates(
      deps,
      read.flatMap(({ endedMandates }) => endedMandates),
    );
    return page;
  } catch (error) {
    const [only, another] = page;
    if (only && !another) {
      failures.push(error);
      await recordFailure(deps.db, only, error);
      return [];
    }
    const handled: Kept[] = [];
    for (const each of page) handled.push(...(await handlePayments(deps, [each], failures)));
    return handled;
  }
}

/** Asks the bank link for the notifications' events, many at a time, and makes their work due. */
async function handleBankNotifications(
  deps: NotificationDeps,
  provider: Provider,
  notifier: BankNotifier,
): Promise<number> {
  const breaker = bankLinkBreaker(deps);
  const state = await breaker.look();
  if (state === 'open')
    throw new ProviderUnavailable('The bank link is unavailable (circuit breaker open); its notifications wait.');
  const isHalfOpen = state === 'half_open';
  let unanswered = 0;
  return handleOpen(deps, provider, isHalfOpen ? 1 : deps.callsInFlight, async (body) => {
    try {
      const work = await workOfEvent(deps, notifier, body as BankNotification);
      await breaker.answered();
      return work;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      unanswered += 1;
      // An event that is never answered does not block the others.
      const isAboutOne = isHalfOpen && unanswered < 3;
      if (!(await breaker.notAnswered(error, isAboutOne))) throw error;
      return error;
    }
  });
}

/** Handles open ones until one fails with the error that ends the pass. */
async function handleOpen(
  deps: NotificationDeps,
  provider: Provider,
  concurrency: number,
  handle: (body: unknown) => Promise<CustomersWork | undefined | Error>,
): Promise<number> {
  let isOver = false;
  const failures: unknown[] = [];
  const handled: Handled[] = [];
  let count = 0;
  const finish = async () => {
    const finished = await markWork(deps, handled.splice(0), failures);
    count += finished.length;
    await saveHandled(deps, finished);
  };
  const open = openNotifications(deps.db, provider);
  const worker = async () => {
    for await (const notification of open) {
      try {
        const answer = await handle(notification.body);
        if (answer instanceof Error) {
          failures.push(answer);
          isOver = true;
        } else handled.push({ notification, work: answer });
      } catch (error) {
        failures.push(error);
        await recordFailure(deps.db, notification, error);
      }
      if (isOver) return;
    }
  };
  const ends = Promise.allSettled(Array.from({ length: concurrency }, worker));
  // One slow answer does not hold up other notifications.
  while (!(await Promise.race([ends, pause(finishEveryMs, undefined, { ref: false })])))
    await finish().catch((error: unknown) => failures.push(error));
  for (const end of await ends) if (end.status === 'rejected') throw end.reason;
  await finish();
  throwFailures(failures);
  return count;
}

function throwFailures(failures: unknown[]): void {
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} notifications could not be handled`);
}

/**
 * Marks the work of notifications as due, asking every bucket once for its customers; returns the finished
 * notifications. While a bucket fails, those of customers unknown to the others are tried again.
 */
async function markWork({ db, clock }: NotificationDeps, handled: Handled[], failures: unknown[]): Promise<Kept[]> {
  const works = handled.flatMap(({ work }) => work ?? []);
  const known = new Set<string>();
  let isWhole = true;
  if (works.length > 0)
    await inEachBucket(db, async (bucket) => {
      for (const customer of await markDueOfCustomers(bucket, works, clock.now())) known.add(customer);
    }).catch((error: unknown) => {
      isWhole = false;
      failures.push(error);
    });
  const isDone = ({ work }: Handled) => isWhole || !work || known.has(work.customerId);
  return handled.filter(isDone).map(({ notification }) => notification);
}

/** Yields open notifications in order, each once. */
async function* openNotifications(db: Pool, provider: Provider): AsyncIterable<Kept> {
  for await (const page of openPages(db, provider, pageSize)) yield* page;
}

async function* openPages(db: Pool, provider: Provider, pageSize: number): AsyncIterable<Kept[]> {
  let last: Pick<Kept, 'receivedAt' | 'id'> = { receivedAt: new Date(0), id: '' };
  for (;;) {
    const page = await db<Kept[]>`
      select provider, id, body, received_at as "receivedAt" from notifications
      where handled_at is null and provider = ${provider} and (received_at, id) > (${last.receivedAt}, ${last.id})
      order by received_at, id limit ${pageSize}`;
    yield page;
    last = page.at(-1) ?? last;
    if (page.length < pageSize) return;
  }
}

async function saveHandled({ db, clock }: NotificationDeps, handled: Kept[]): Promise<void> {
  if (handled.length === 0) return;
  const column = (name: 'provider' | 'id') => handled.map((notification) => notification[name]);
  await db`
    update notifications set handled_at = ${clock.now()}
    from unnest(${column('provider')}::text[], ${column('id')}::text[]) as handled (provider, id)
    where notifications.provider = handled.provider and notifications.id = handled.id`;
}

function readPaymentNotification(body: unknown): { outcomes: Outcome[]; endedMandates: string[] } {
  // A notification stored by an earlier version contains only its outcomes.
  const { outcomes: reported, endedMandates } = Array.isArray(body)
    ? { outcomes: body as Outcome[], endedMandates: [] }
    : (body as { outcomes: Outcome[]; endedMandates: string[] });
  if (!Array.isArray(reported)) throw new Error('its outcomes cannot be read');
  return { outcomes: reported.map((outcome) => ({ ...outcome, at: new Date(outcome.at) })), endedMandates };
}

/** Returns the work that an event makes due; only the provider knows whose event it is. */
async function workOfEvent(
  { bankLink }: NotificationDeps,
  notifier: BankNotifier,
  { eventId, kind }: BankNotification,
): Promise<CustomersWork | undefined> {
  const customerId = await bankLink.customerOfEvent(eventId);
  return customerId ? { customerId, kind: notifier.announcesTransactions(kind) ? 'sync' : 'consent_poll' } : undefined;
}
