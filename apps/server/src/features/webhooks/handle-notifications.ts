import type { Pool } from '#db/connect.ts';
import { withSessionLock } from '#db/session-lock.ts';
import { pollConnections } from '#features/consents/poll-connections.ts';
import { refreshConsent } from '#features/consents/refresh-consent.ts';
import { checkNotifiedMandates } from '#features/debits/check-mandates.ts';
import { applyOutcome, listApplied } from '#features/outcomes/apply-outcome.ts';
import type { PollDeps } from '#features/outcomes/poll-outcomes.ts';
import { getSupporter } from '#features/supporters/user-record.ts';
import type { BankLink, BankNotification } from '#ports/bank-link.ts';
import type { Outcome } from '#ports/direct-debit.ts';

export interface NotificationDeps extends PollDeps {
  bankLink: BankLink;
  enqueueSync: (supporterId: string) => Promise<void>;
}

export type Provider = 'basiq' | 'zepto';

/** Keeps a verified notification before it is answered; the same one again, by id or by what was signed, changes nothing. */
export async function keepNotification(
  db: Pool,
  provider: Provider,
  id: string,
  body: unknown,
  now: Date,
  signedHash: string | null = null,
): Promise<boolean> {
  const kept = await db`
    insert into notifications (provider, id, body, received_at, signed_hash)
    values (${provider}, ${id}, ${db.json(body as Parameters<typeof db.json>[0])}, ${now}, ${signedHash})
    on conflict do nothing`;
  return kept.count === 1;
}

interface Kept {
  provider: Provider;
  id: string;
  body: unknown;
  receivedAt: Date;
}

const pageSize = 500;
/** Notifications marked together; after a crash, handling again changes nothing. */
const markedTogether = 50;

/**
 * Handles what was kept and not yet handled. One that can not be handled keeps no other one waiting; it is tried again
 * the next time, and thrown after all the others. Answers undefined, with nothing done, while another pass runs.
 */
export function handleNotifications(deps: NotificationDeps): Promise<number | undefined> {
  return withSessionLock(deps.db, 'handle notifications', () => handleOpen(deps));
}

async function handleOpen(deps: NotificationDeps): Promise<number> {
  const failures: unknown[] = [];
  let handled: Kept[] = [];
  let count = 0;
  const markHandled = async () => {
    await saveHandled(deps, handled);
    count += handled.length;
    handled = [];
  };
  for await (const notification of openNotifications(deps.db)) {
    try {
      await handlers[notification.provider](deps, notification.body);
      handled.push(notification);
    } catch (error) {
      failures.push(error);
    }
    if (handled.length >= markedTogether) await markHandled();
  }
  await markHandled();
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} notifications could not be handled`);
  return count;
}

/** Yields open notifications in order, each once, page by page. */
async function* openNotifications(db: Pool): AsyncIterable<Kept> {
  let last: Pick<Kept, 'receivedAt' | 'provider' | 'id'> = { receivedAt: new Date(0), provider: 'basiq', id: '' };
  for (;;) {
    const page = await db<Kept[]>`
      select provider, id, body, received_at as "receivedAt" from notifications
      where handled_at is null and (received_at, provider, id) > (${last.receivedAt}, ${last.provider}, ${last.id})
      order by received_at, provider, id limit ${pageSize}`;
    yield* page;
    last = page.at(-1) ?? last;
    if (page.length < pageSize) return;
  }
}

const handlers: Record<Provider, (deps: NotificationDeps, body: unknown) => Promise<unknown>> = {
  basiq: (deps, body) => handleBank(deps, body as BankNotification),
  zepto: handlePayment,
};

async function saveHandled({ db, clock }: NotificationDeps, handled: Kept[]): Promise<void> {
  if (handled.length === 0) return;
  const column = (name: 'provider' | 'id') => handled.map((notification) => notification[name]);
  await db`
    update notifications set handled_at = ${clock.now()}
    from unnest(${column('provider')}::text[], ${column('id')}::text[]) as handled (provider, id)
    where notifications.provider = handled.provider and notifications.id = handled.id`;
}

async function handlePayment(deps: NotificationDeps, body: unknown): Promise<void> {
  // One kept by an earlier version is its outcomes alone.
  const { outcomes: reported, endedMandates } = Array.isArray(body)
    ? { outcomes: body as Outcome[], endedMandates: [] }
    : (body as { outcomes: Outcome[]; endedMandates: string[] });
  const outcomes = reported.map((outcome) => ({ ...outcome, at: new Date(outcome.at) }));
  const news = outcomes.filter(({ state }) => state !== 'pending');
  const applied = news.length > 0 ? await listApplied(deps.db, news) : new Set();
  for (const outcome of news) {
    if (!applied.has(outcome)) await applyOutcome(deps, outcome);
  }
  await checkNotifiedMandates(deps, endedMandates);
}

async function handleBank(deps: NotificationDeps, { eventId, kind }: BankNotification): Promise<void> {
  const customerId = await deps.bankLink.customerOfEvent(eventId);
  if (!customerId) return;
  const [supporter] = await deps.db<{ id: string }[]>`
    select supporter_id as id from supporters where bank_customer_id = ${customerId} limit 1`;
  if (!supporter) return;
  if (kind === 'transactions.updated') await deps.enqueueSync(supporter.id);
  else if (await refreshConsent(deps.db, deps.clock, deps.bankLink, supporter.id)) {
    await pollConnections(deps.db, deps.clock, deps.bankLink, await getSupporter(deps.db, supporter.id));
  }
}
