import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountId, listConnections, listSharedAccounts, type SharedAccount } from '#bank/basiq/connections.ts';
import { endConsent, endConsentIn, expireConsentNow, findActiveConsent, findConsent } from '#bank/basiq/consents.ts';
import { emit } from '#bank/basiq/events.ts';
import { findTransactions, type Transaction } from '#bank/basiq/transactions.ts';
import { findUserByEmail, getUser, type User } from '#bank/basiq/users.ts';
import { addPosting, type NewPosting } from '#bank/statements/postings.ts';
import { reportBalance } from '#bank/statements/reported-balances.ts';
import { addDays, isIsoDate, isoInstant, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { ControlProblem } from './problem.ts';

const Who = z.object({ userId: z.string().optional(), email: z.string().optional() });

const day = z.string().refine(isIsoDate, { error: 'is a day, like "2026-11-21"' });

const Purchase = Who.extend({
  amount: z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, { error: 'is dollars, like "4.35"' }),
  account: z.string().optional(),
  description: z.string().min(1).max(500).optional(),
  date: day.optional(),
  status: z.enum(['posted', 'pending']).default('posted'),
  direction: z.enum(['debit', 'credit']).default('debit'),
  class: z
    .enum([
      'payment',
      'bank-fee',
      'cash-withdrawal',
      'transfer',
      'loan-interest',
      'refund',
      'direct-credit',
      'interest',
      'loan-repayment',
    ])
    .default('payment'),
  currency: z.enum(['AUD', 'USD', 'GBP']).default('AUD'),
});
type Purchase = z.infer<typeof Purchase>;

const Refund = Who.extend({ transactionId: z.string().optional(), date: day.optional() });
type Refund = z.infer<typeof Refund>;

const Balance = Who.extend({
  account: z.string().optional(),
  balance: z
    .string()
    .regex(/^-?\d{1,8}(\.\d{1,2})?$/, { error: 'is dollars, like "12.34"' })
    .optional(),
});

const ConsentChange = z.discriminatedUnion('action', [
  Who.extend({ action: z.enum(['expire', 'revoke']) }),
  Who.extend({ action: z.literal('end-in'), days: z.int().min(1).max(365) }),
]);

function centsOf(amount: string): number {
  const [dollars = '0', cents = ''] = amount.split('.');
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

export function bankRoutes(app: FastifyInstance, world: World): void {
  const { db, clock } = world;

  const getWho = ({ userId, email }: z.infer<typeof Who>): User => {
    const user = userId === undefined ? findUserByEmail(db, email ?? '') : getUser(db, userId);
    if (user === undefined)
      throw new ControlProblem(404, `No user of the bank link has the address ${email ?? '(none given)'}.`);
    return user;
  };

  app.post('/purchases', async ({ body }, reply) => {
    const purchase = Purchase.parse(body);
    const shared = accountFor(listSharedAccounts(db, getWho(purchase).id), purchase.account);
    const transactionId = db.atomically(() => addPurchase(world, shared, purchase));
    return reply.status(201).send({ transactionId });
  });

  /** Pays a purchase back in full, by default the newest. */
  app.post('/refunds', async ({ body }, reply) => {
    const refund = Refund.parse(body);
    const purchase = purchaseFor(world, listSharedAccounts(db, getWho(refund).id), refund.transactionId);
    const transactionId = db.atomically(() => addRefund(world, purchase, refund));
    return reply.status(201).send({ transactionId, refunded: purchase.id, description: purchase.line.description });
  });

  /** Sets the balance a bank claims; without one, the truth. */
  app.post('/balances', async ({ body }) => {
    const { account, balance, ...who } = Balance.parse(body);
    const shared = accountFor(listSharedAccounts(db, getWho(who).id), account);
    const sign = balance?.startsWith('-') ? -1 : 1;
    const cents = balance === undefined ? undefined : sign * centsOf(balance.replace('-', ''));
    reportBalance(db, shared.customer, shared.account.position, cents);
    return { account: shared.account.name, balance: balance ?? null };
  });

  app.post('/consents', async ({ body }) => {
    const change = ConsentChange.parse(body);
    const user = getWho(change);
    const consent = findActiveConsent(db, user.id);
    if (consent === undefined) throw new ControlProblem(404, 'This user has no active consent.');
    return db.atomically(() => {
      if (change.action === 'end-in') endConsentIn(world, consent, change.days, clock.now());
      else if (change.action === 'expire') expireConsentNow(world, consent, clock.now());
      else endConsent(world, consent, 'revoked', clock.now());
      const { id, status, expiresAt } = findConsent(db, consent.id) ?? consent;
      return { consentId: id, status, expiryDate: isoInstant(expiresAt) };
    });
  });

  /** Gives posted lines new ids, as after a bank's migration. */
  app.post('/reissue', async ({ body }) => {
    const user = getWho(Who.parse(body));
    const reissued = db.run('update connections set posted_issue = posted_issue + 1 where user_id = ?', user.id);
    for (const { id } of listConnections(db, user.id)) {
      const path = `/users/${user.id}/transactions?filter=connection.id.eq('${id}')`;
      emit(world, 'transactions.updated', { userId: user.id, path }, clock.now());
    }
    return { connections: reissued };
  });
}

function accountFor(accounts: SharedAccount[], name: string | undefined): SharedAccount {
  const found =
    name === undefined
      ? (accounts.find(({ account }) => account.kind === 'transaction') ?? accounts[0])
      : accounts.find(({ id, account }) => id === name || account.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = accounts.map(({ account }) => account.name).join(', ') || 'none';
  throw new ControlProblem(404, `No such account is shared. Shared are: ${names}.`);
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

function purchaseFor(world: World, accounts: SharedAccount[], transactionId: string | undefined): Transaction {
  const purchases = findTransactions(world, accounts, [
    { property: 'transaction.status', operator: 'eq', values: ['posted'] },
    { property: 'transaction.class', operator: 'eq', values: ['payment'] },
    { property: 'transaction.direction', operator: 'eq', values: ['debit'] },
  ]);
  const found = transactionId === undefined ? purchases[0] : purchases.find(({ id }) => id === transactionId);
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

/** Books a line and tells the product that there are new ones; answers the id under which it is shown. */
function addLine(world: World, shared: SharedAccount, posting: NewPosting): string {
  const { line } = addPosting(world.db, shared.customer, posting);
  const { userId, id: connectionId } = shared.connection;
  emit(
    world,
    'transactions.updated',
    { userId, path: `/users/${userId}/transactions?filter=connection.id.eq('${connectionId}')` },
    world.clock.now(),
  );
  const account = accountId(shared.connection, shared.account.position);
  const shown = findTransactions(world, [shared], [{ property: 'account.id', operator: 'eq', values: [account] }]);
  return shown.find((transaction) => transaction.line.key === line.key)?.id ?? '';
}
