import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import { isoInstant, sydneyDate, sydneyInstant } from '#world/days.ts';
import type { Cents } from '#world/money.ts';
import type { World } from '#world/world.ts';
import { merchant, nextRef, takeForcedReturn } from './account.ts';
import {
  Amount,
  badRequest,
  Description,
  Instant,
  idempotently,
  Metadata,
  notFound,
  OwnMetadata,
  parse,
  type Query,
  sendPage,
} from './answers.ts';
import { creditClearsAt, showOnStatement } from './bank-side.ts';
import { findAnyContact, getContact } from './contacts.ts';
import {
  addLeg,
  addLegs,
  changeStatus,
  creditFailureCode,
  describeFailure,
  getTransaction,
  notify,
  statusOfReturn,
} from './transactions.ts';

interface Payout {
  number: number;
  ref: string;
  idempotencyKey: string;
  contactId: string;
  amount: Cents;
  batchDescription: string;
  description: string;
  channels: string[];
  metadata: Metadata;
  payoutMetadata: Metadata;
  maturesAt: number;
  createdAt: number;
  debitRef: string;
  returnCode: number | null;
}

const payouts = table<Payout, 'number'>('payouts', ['channels', 'metadata', 'payoutMetadata']);

const Channel = z.enum(['new_payments_platform', 'direct_entry'], {
  error: 'must be one of: new_payments_platform, direct_entry',
});

const NewPayment = z.object({
  description: Description,
  matures_at: Instant,
  your_bank_account_id: z.string().optional(),
  channels: z.tuple([Channel], Channel, { error: 'must be one of: new_payments_platform, direct_entry' }),
  payouts: z.tuple(
    [
      z.object({
        amount: Amount,
        description: Description,
        recipient_contact_id: z.string(),
        metadata: Metadata.default({}),
      }),
    ],
    { error: 'must contain exactly one payout' },
  ),
  metadata: OwnMetadata,
});

function addPayout(db: Db, wanted: z.infer<typeof NewPayment>, idempotencyKey: string, now: number): Payout {
  const { channels, metadata, matures_at } = wanted;
  const [{ amount, description, recipient_contact_id, metadata: payoutMetadata }] = wanted.payouts;
  if (matures_at < sydneyInstant(sydneyDate(now))) throw badRequest('Matures at must not be in the past');
  if (wanted.your_bank_account_id !== undefined && wanted.your_bank_account_id !== merchant.bankAccountId) {
    throw badRequest('Your bank account not found');
  }
  const contact = getContact(db, recipient_contact_id);
  const refs = { payment: nextRef(db, 'PB'), debit: nextRef(db, 'D'), credit: nextRef(db, 'C') };
  const shared = { contactId: contact.id, amount, description, channels, maturesAt: Math.max(matures_at, now) };
  const debit = { ref: refs.debit, side: 'ours', currentChannel: 'float_account' } as const;
  const credit = { ref: refs.credit, side: 'theirs', currentChannel: channels[0] } as const;
  addLegs(
    db,
    { ...shared, parentRef: refs.payment, metadata: payoutMetadata },
    {
      debit: { ...debit, bankAccountId: merchant.bankAccountId },
      credit: { ...credit, bankAccountId: contact.bankAccountId },
    },
    now,
  );
  return payouts.insert(db, {
    ...shared,
    ref: refs.payment,
    idempotencyKey,
    batchDescription: wanted.description,
    metadata,
    payoutMetadata,
    createdAt: now,
    debitRef: refs.debit,
    returnCode: takeForcedReturn(db, contact, 'deposit')?.code ?? null,
  });
}

/**
 * The float pays immediately, and NPP arrives immediately; direct entry, or a failing credit, is known a banking day
 * later.
 */
export function watchPayouts(world: World): void {
  const { db, scheduler } = world;
  scheduler.on('payout matures', (ref, at) => {
    const payout = payouts.find(db, { ref });
    const debit = payout && getTransaction(db, payout.debitRef);
    if (payout === undefined || debit?.status !== 'maturing') return;
    changeStatus(db, debit.ref, 'cleared', at);
    notify(world, 'debit.cleared', [debit.ref], at);
    const { ref: creditRef, currentChannel } = getTransaction(db, debit.pairRef);
    if (currentChannel === 'new_payments_platform' && payout.returnCode === null) {
      return clear(world, payout, creditRef, at);
    }
    const clearsAt = creditClearsAt(at);
    changeStatus(db, creditRef, 'clearing', at, { clearsAt });
    notify(world, 'debtor_credit.clearing', [creditRef], at);
    scheduler.schedule('payout clears', clearsAt, ref);
  });
  scheduler.on('payout clears', (ref, at) => {
    const payout = payouts.find(db, { ref });
    if (payout === undefined) return;
    const { pairRef } = getTransaction(db, payout.debitRef);
    if (payout.returnCode === null) clear(world, payout, pairRef, at);
    else returnPayout(world, payout, pairRef, payout.returnCode, at);
  });
}

function clear(world: World, payout: Payout, creditRef: string, at: number): void {
  changeStatus(world.db, creditRef, 'cleared', at);
  showOnStatement(world, { ...payout, kind: 'credit' }, at);
  notify(world, 'debtor_credit.cleared', [creditRef], at);
}

/** A credit that could not be made comes back to the float as a credit of its own. */
function returnPayout(world: World, payout: Payout, creditRef: string, code: number, at: number): void {
  const { db } = world;
  const { contactId, amount, debitRef } = payout;
  const failureCode = creditFailureCode(code);
  const status = statusOfReturn(code);
  changeStatus(db, creditRef, status, at, { failureCode });
  const failure = describeFailure(failureCode);
  const { name } = findAnyContact(db, contactId);
  const channel = 'float_account';
  const { ref } = addLeg(
    db,
    {
      ref: nextRef(db, 'C'),
      pairRef: creditRef,
      parentRef: payout.ref,
      side: 'ours',
      type: 'credit',
      category: 'payout_reversal',
      contactId,
      amount,
      description: `Payout reversal of ${debitRef} for ${name} due to ${failure.title.toLowerCase()}`,
      metadata: payout.payoutMetadata,
      channels: [channel],
      currentChannel: channel,
      bankAccountId: merchant.bankAccountId,
      maturesAt: at,
      reversal: { source_debit_ref: debitRef, source_credit_failure: failure },
    },
    at,
  );
  changeStatus(db, ref, 'cleared', at);
  notify(world, `debtor_credit.${status}`, [creditRef], at);
  notify(world, 'credit.cleared', [ref], at);
}

function present(db: Db, payout: Payout) {
  const contact = findAnyContact(db, payout.contactId);
  const only = {
    ref: payout.debitRef,
    recipient_contact_id: contact.id,
    batch_description: payout.batchDescription,
    matures_at: isoInstant(payout.maturesAt),
    created_at: isoInstant(payout.createdAt),
    status: getTransaction(db, payout.debitRef).status,
    amount: payout.amount,
    description: payout.description,
    from_id: merchant.bankAccountId,
    to_id: contact.bankAccountId,
    metadata: payout.payoutMetadata,
  };
  return {
    ref: payout.ref,
    your_bank_account_id: merchant.bankAccountId,
    channels: payout.channels,
    payouts: [only],
    metadata: payout.metadata,
  };
}

interface Path {
  Params: { ref: string };
  Querystring: Query;
}

export function payoutRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, scheduler, origin } = world;

  app.post('/payments', async ({ headers, body }, reply) => {
    const now = clock.now();
    const payout = idempotently(db, headers['idempotency-key'], now, (key) => {
      const made = addPayout(db, parse(NewPayment, body, 400), key, now);
      scheduler.schedule('payout matures', made.maturesAt, made.ref);
      notify(world, 'debit.scheduled', [made.debitRef], now);
      return made;
    });
    await scheduler.runDue();
    return reply.status(201).send({ data: present(db, payout) });
  });

  app.get<Path>('/payments', async (request, reply) => {
    const read = (limit: number, offset: number) =>
      payouts.select(db, 'order by number desc limit ? offset ?', limit, offset);
    return sendPage(request, reply, origin, read, (payout) => present(db, payout));
  });

  app.get<Path>('/payments/:ref', async ({ params }) => {
    const payout = payouts.find(db, { ref: params.ref });
    if (payout === undefined) throw notFound('Payment');
    return { data: present(db, payout) };
  });
}
