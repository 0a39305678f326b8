import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  accountId,
  connections,
  emitOf,
  invalidateConnection,
  listConnections,
  listSharedAccounts,
  type SharedAccount,
  stopSharing,
} from '#bank/basiq/connections.ts';
import { changeConsent, findActiveConsent } from '#bank/basiq/consents.ts';
import { JobPlan, planNextJob } from '#bank/basiq/jobs.ts';
import { findTransactions, type Transaction } from '#bank/basiq/transactions.ts';
import { findUserByEmail, getUser, type User } from '#bank/basiq/users.ts';
import { authorise } from '#bank/consent/visits.ts';
import { banks } from '#bank/statements/banks.ts';
import { customerOf, isCrn } from '#bank/statements/customers.ts';
import { addPosting, type NewPosting, reportBalance } from '#bank/statements/ledger.ts';
import { lineClasses } from '#bank/statements/line.ts';
import { addDays, isIsoDate, isoInstant, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { ControlProblem } from './problem.ts';

const UserSelector = z.object({ userId: z.string().optional(), email: z.string().optional() });

const day = z.string().refine(isIsoDate, { error: 'must be a day, like "2026-11-21"' });

const Purchase = UserSelector.extend({
  amount: z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, { error: 'must be dollars, like "4.35"' }),
  account: z.string().optional(),
  description: z.string().min(1).max(500).optional(),
  date: day.optional(),
  status: z.enum(['posted', 'pending']).default('posted'),
  direction: z.enum(['debit', 'credit']).default('debit'),
  class: z.enum(lineClasses).default('payment'),
  currency: z.enum(['AUD', 'USD', 'GBP']).default('AUD'),
});
type Purchase = z.infer<typeof Purchase>;

const Refund = UserSelector.extend({ transactionId: z.string().optional(), date: day.optional() });
type Refund = z.infer<typeof Refund>;

const Balance = UserSelector.extend({
  account: z.string().optional(),
  balance: z
    .string()
    .regex(/^-?\d{1,8}(\.\d{1,2})?$/, { error: 'must be dollars, like "12.34"' })
    .optional(),
});

const ConsentChange = z.discriminatedUnion('action', [
  UserSelector.extend({ action: z.enum(['expire', 'revoke']) }),
  UserSelector.extend({ action: z.literal('end-in'), days: z.int().min(1).max(365) }),
]);

const NewConnection = z.object({
  userId: z.string(),
  crn: z.string().refine(isCrn, { error: 'must have 8 digits' }),
  institution: z.enum(banks.map(({ id }) => id)).default(banks[0].id),
  job: JobPlan.optional(),
});

function centsOf(amount: string): Cents {
  const [dollars = '0', cents = ''] = amount.split('.');
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

export function bankRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;

  const userOf = ({ userId, email }: z.infer<typeof UserSelector>): User => {
    const user = userId === undefined ? findUserByEmail(db, email ?? '') : getUser(db, userId);
    if (user === undefined)
      throw new ControlProblem(404, `No user of the bank link has the address ${email ?? '(none given)'}.`);
    return user;
  };

  app.post('/purchases', async ({ body }, reply) => {
    const purchase = Purchase.parse(body);
    const shared = accountFor(listSharedAccounts(db, userOf(purchase).id), purchase.account);
    const transactionId = db.atomically(() => addPurchase(world, shared, purchase));
    return reply.status(201).send({ transactionId });
  });

  /** Pays a purchase back in full, by default the newest; bills and debits of direct entry are none. */
  app.post('/refunds', async ({ body }, reply) => {
    const refund = Refund.parse(body);
    const purchase = purchaseFor(world, listSharedAccounts(db, userOf(refund).id), refund.transactionId);
    const transactionId = db.atomically(() => addRefund(world, purchase, refund));
    return reply.status(201).send({ transactionId, refunded: purchase.id, description: purchase.line.description });
  });

  /** Sets the balance a bank claims; without one, the truth. */
  app.post('/balances', async ({ body }) => {
    const { account, balance, ...selector } = Balance.parse(body);
    const shared = accountFor(listSharedAccounts(db, userOf(selector).id), account);
    const sign = balance?.startsWith('-') ? -1 : 1;
    const cents = balance === undefined ? undefined : sign * centsOf(balance.replace('-', ''));
    reportBalance(db, shared.customer, shared.account.position, cents);
    return { account: shared.account.name, balance: balance ?? null };
  });

  app.post('/consents', async ({ body }) => {
    const change = ConsentChange.parse(body);
    const user = userOf(change);
    const consent = findActiveConsent(db, user.id);
    if (consent === undefined) throw new ControlProblem(404, 'This user has no active consent.');
    const { id, status, expiresAt } = db.atomically(() => changeConsent(world, consent, change));
    return { consentId: id, status, expiryDate: isoInstant(expiresAt) };
  });

  /** Gives posted lines new ids, as after a bank's migration. */
  app.post('/reissue', async ({ body }) => {
    const user = userOf(UserSelector.parse(body));
    const own = listConnections(db, user.id);
    for (const connection of own) {
      connections.update(db, { id: connection.id }, { postedIssue: connection.postedIssue + 1 });
      emitOf(world, 'transactions.updated', connection);
    }
    return { connections: own.length };
  });

  app.post('/jobs', async ({ body }, reply) => {
    const { userId, ...plan } = JobPlan.extend({ userId: z.string() }).parse(body);
    planNextJob(db, getUser(db, userId).id, plan);
    return reply.status(201).send(plan);
  });

  /** Goes through the consent pages in one step and shares every account, for seeds and tests. */
  app.post('/connections', async ({ body }, reply) => {
    const { userId, crn, institution, job: plan } = NewConnection.parse(body);
    const customer = customerOf(institution, crn);
    const positions = customer.accounts.map(({ position }) => position);
    const job = db.atomically(() => {
      const user = getUser(db, userId).id;
      if (plan) planNextJob(db, user, plan);
      return authorise(world, user, customer, positions);
    });
    return reply.status(201).send({ jobId: job.id });
  });

  /** Ends a bank's permission early for all a user's connections. */
  app.post('/connections/invalid', async ({ body }) => {
    const { userId } = z.object({ userId: z.string() }).parse(body);
    const active = listConnections(db, getUser(db, userId).id).filter(({ status }) => status === 'active');
    db.atomically(() => {
      for (const connection of active) invalidateConnection(world, connection, clock.now());
    });
    return { connections: active.length };
  });

  /** Closes an account, or ends sharing it: it is gone from the lists with all that was on it. */
  app.post('/accounts/gone', async ({ body }) => {
    const { userId, accountId } = z.object({ userId: z.string(), accountId: z.string() }).parse(body);
    const shared = listSharedAccounts(db, getUser(db, userId).id).find(({ id }) => id === accountId);
    if (shared === undefined) throw new ControlProblem(404, 'This user shares no such account.');
    stopSharing(db, shared);
    return { accountId };
  });
}

function accountFor(accounts: SharedAccount[], name: string | undefined): SharedAccount {
  const found =
    name === undefined
      ? (accounts.find(({ account }) => account.kind === 'transaction') ?? accounts[0])
      : accounts.find(({ id, account }) => id === name || account.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = accounts.map(({ account }) => account.name).join(', ') || 'none';
  throw new ControlProblem(404, `No such account is shared. Shared accounts: ${names}.`);
}

function addPurchase(world: World, shared: SharedAccount, purchase: Purchase): string {
  const now = world.clock.now();
  const purchasedOn = purchase.date ?? sydneyDate(now);
  const cents = centsOf(purchase.amount);
  const visibleAt = Math.max(now, sydneyInstant(purchasedOn));
  const postedOn = purchase.status === 'pending' ? addDays(sydneyDate(visibleAt), 1) : purchasedOn;
  const onDay = `${purchasedOn.slice(8)}/${purchasedOn.slice(5, 7)}`;
  return addLine(world, shared, {
    position: shared.account.position,
    purchasedOn,
    postedOn,
    visibleAt,
    cents: purchase.direction === 'debit' ? -cents : cents,
    currency: purchase.currency,
    class: purchase.class,
    description: purchase.description ?? `VISA DEBIT PURCHASE CARD 4471 ${onDay} CORNER PANTRY SYDNEY AU`,
  });
}

/** Bills and direct debits, ours too, are payments like purchases: their text tells them apart. */
const billText = /\b(direct debit|ddebit|ddr|bpay)\b/i;

const isBought = ({ line }: Transaction): boolean =>
  line.cents !== 0 && line.currency === 'AUD' && line.details === undefined && !billText.test(line.description);

function purchaseFor(world: World, accounts: SharedAccount[], transactionId: string | undefined): Transaction {
  const purchases = findTransactions(world, accounts, [
    { property: 'transaction.status', operator: 'eq', values: ['posted'] },
    { property: 'transaction.class', operator: 'eq', values: ['payment'] },
    { property: 'transaction.direction', operator: 'eq', values: ['debit'] },
  ]);
  const found =
    transactionId === undefined ? purchases.find(isBought) : purchases.find(({ id }) => id === transactionId);
  if (found === undefined) throw new ControlProblem(404, 'There is no such purchase to pay back.');
  return found;
}

function addRefund(world: World, { shared, line }: Transaction, refund: Refund): string {
  const now = world.clock.now();
  const date = refund.date ?? sydneyDate(now);
  return addLine(world, shared, {
    position: shared.account.position,
    purchasedOn: date,
    postedOn: date,
    visibleAt: Math.max(now, sydneyInstant(date)),
    cents: -line.cents,
    currency: line.currency,
    class: 'refund',
    description: line.description,
  });
}

/** Books a line and emits that there are new ones; returns the id under which it is shown. */
function addLine(world: World, shared: SharedAccount, posting: NewPosting): string {
  const key = addPosting(world.db, shared.customer, posting);
  emitOf(world, 'transactions.updated', shared.connection);
  const account = accountId(shared.connection, shared.account.position);
  const shown = findTransactions(
    world,
    [shared],
    [
      { property: 'account.id', operator: 'eq', values: [account] },
      { property: 'transaction.postDate', operator: 'gteq', values: [addDays(posting.postedOn, -1)] }, // in UTC, not Sydney
    ],
  );
  return shown.find(({ line }) => line.key === key)?.id ?? '';
}
