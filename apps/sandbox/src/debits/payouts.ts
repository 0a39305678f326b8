import { z } from 'zod';
import type { Db } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { takeArmedReturn } from './armed-returns.ts';
import { creditClearsAt } from './calendar.ts';
import { findAnyContact, getContact } from './contacts.ts';
import { creditFailureCode, describeFailure, statusOfReturn } from './failures.ts';
import { merchant } from './merchant.ts';
import { notify } from './notices.ts';
import { badRequest } from './problem.ts';
import { nextRef } from './refs.ts';
import { showOnStatement } from './statement-lines.ts';
import { addTransaction, changeTransaction, getTransaction } from './transactions.ts';

export interface Payout {
  number: number;
  ref: string;
  idempotencyKey: string;
  contactId: string;
  amount: number;
  batchDescription: string;
  description: string;
  channels: string;
  metadata: string;
  payoutMetadata: string;
  maturesAt: number;
  createdAt: number;
  debitRef: string;
  returnCode: number | null;
}

const columns = `number, ref, idempotency_key as idempotencyKey, contact_id as contactId, amount,
  batch_description as batchDescription, description, channels, metadata, payout_metadata as payoutMetadata,
  matures_at as maturesAt, created_at as createdAt, debit_ref as debitRef, return_code as returnCode`;

export const channelNames = ['new_payments_platform', 'direct_entry'] as const;
type Channel = (typeof channelNames)[number];

export interface NewPayout {
  description: string;
  maturesAt: number;
  channels: Channel[];
  metadata: Record<string, unknown>;
  payout: { amount: number; description: string; contactId: string; metadata: Record<string, unknown> };
}

export function addPayout({ db }: World, wanted: NewPayout, key: string, now: number): Payout {
  const contact = getContact(db, wanted.payout.contactId);
  const [channel] = wanted.channels;
  if (channel === undefined) throw badRequest('Channels must be one of: new_payments_platform, direct_entry');
  const refs = { payment: nextRef(db, 'PB'), debit: nextRef(db, 'D'), credit: nextRef(db, 'C') };
  const maturesAt = Math.max(wanted.maturesAt, now);
  const leg = {
    parentRef: refs.payment,
    category: 'payout',
    contactId: contact.id,
    amount: wanted.payout.amount,
    description: wanted.payout.description,
    metadata: JSON.stringify(wanted.payout.metadata),
    channels: wanted.channels,
    status: 'maturing',
    maturesAt,
    reversal: null,
  } as const;
  addTransaction(
    db,
    {
      ...leg,
      ref: refs.debit,
      pairRef: refs.credit,
      side: 'ours',
      type: 'debit',
      currentChannel: 'float_account',
      bankAccountId: merchant.bankAccountId,
    },
    now,
  );
  addTransaction(
    db,
    {
      ...leg,
      ref: refs.credit,
      pairRef: refs.debit,
      side: 'theirs',
      type: 'credit',
      currentChannel: channel,
      bankAccountId: contact.bankAccountId,
    },
    now,
  );
  const row = db.find<Payout>(
    `insert into payouts (ref, idempotency_key, contact_id, amount, batch_description, description, channels, metadata,
       payout_metadata, matures_at, created_at, debit_ref, return_code)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning ${columns}`,
    refs.payment,
    key,
    contact.id,
    wanted.payout.amount,
    wanted.description,
    wanted.payout.description,
    JSON.stringify(wanted.channels),
    JSON.stringify(wanted.metadata),
    JSON.stringify(wanted.payout.metadata),
    maturesAt,
    now,
    refs.debit,
    takeArmedReturn(db, contact, 'deposit')?.code ?? null,
  );
  if (row === undefined) throw new Error('The payout was not stored.');
  return row;
}

export const findPayout = (db: Db, ref: string): Payout | undefined =>
  db.find<Payout>(`select ${columns} from payouts where ref = ?`, ref);

export const listPayouts = (db: Db, limit: number, offset: number): Payout[] =>
  db.all<Payout>(`select ${columns} from payouts order by number desc limit ? offset ?`, limit, offset);

export const schedulePayout = ({ agenda }: World, { ref, maturesAt }: Payout): void =>
  agenda.schedule('payout matures', maturesAt, ref);

/** The float pays at once. NPP arrives at once; direct entry, or a credit that will fail, is known a banking day later. */
export function watchPayouts(world: World): void {
  const { db, agenda } = world;
  agenda.when('payout matures', (ref, at) => {
    const payout = findPayout(db, ref);
    if (payout === undefined) return;
    const { pairRef, status } = getTransaction(db, payout.debitRef);
    if (status !== 'maturing') return;
    changeTransaction(db, payout.debitRef, { status: 'cleared', clearedAt: at }, at);
    notify(world, 'debit.cleared', [payout.debitRef], at);
    if (getTransaction(db, pairRef).currentChannel === 'new_payments_platform' && payout.returnCode === null) {
      return arrive(world, payout, pairRef, at);
    }
    const clearsAt = creditClearsAt(at);
    changeTransaction(db, pairRef, { status: 'clearing', clearsAt }, at);
    notify(world, 'debtor_credit.clearing', [pairRef], at);
    agenda.schedule('payout clears', clearsAt, ref);
  });
  agenda.when('payout clears', (ref, at) => {
    const payout = findPayout(db, ref);
    if (payout === undefined) return;
    const { pairRef } = getTransaction(db, payout.debitRef);
    if (payout.returnCode === null) arrive(world, payout, pairRef, at);
    else bounce(world, payout, pairRef, payout.returnCode, at);
  });
}

function arrive(world: World, payout: Payout, creditRef: string, at: number): void {
  changeTransaction(world.db, creditRef, { status: 'cleared', clearedAt: at }, at);
  const metadata = z.record(z.string(), z.unknown()).parse(JSON.parse(payout.metadata));
  const movement = { kind: 'credit', amount: payout.amount, description: payout.description, metadata } as const;
  showOnStatement(world, findAnyContact(world.db, payout.contactId), movement, at);
  notify(world, 'debtor_credit.cleared', [creditRef], at);
}

/** A credit that could not be made comes back to the float as a credit of its own. */
function bounce(world: World, payout: Payout, creditRef: string, code: number, at: number): void {
  const { db } = world;
  const failureCode = creditFailureCode(code);
  const status = statusOfReturn(code);
  changeTransaction(db, creditRef, { status, failureCode }, at);
  const failure = describeFailure(failureCode);
  const { name } = findAnyContact(db, payout.contactId);
  const ref = nextRef(db, 'C');
  const reversal: Parameters<typeof addTransaction>[1] = {
    ref,
    pairRef: creditRef,
    parentRef: payout.ref,
    side: 'ours',
    type: 'credit',
    category: 'payout_reversal',
    contactId: payout.contactId,
    amount: payout.amount,
    description: `Payout reversal of ${payout.debitRef} for ${name} due to ${failure.title.toLowerCase()}`,
    metadata: payout.payoutMetadata,
    channels: ['float_account'],
    currentChannel: 'float_account',
    bankAccountId: merchant.bankAccountId,
    status: 'maturing',
    maturesAt: at,
    reversal: JSON.stringify({ source_debit_ref: payout.debitRef, source_credit_failure: failure }),
  };
  addTransaction(db, reversal, at);
  changeTransaction(db, ref, { status: 'cleared', clearedAt: at }, at);
  notify(world, `debtor_credit.${status}`, [creditRef], at);
  notify(world, 'credit.cleared', [ref], at);
}

export function presentPayout(db: Db, payout: Payout) {
  const contact = findAnyContact(db, payout.contactId);
  return {
    ref: payout.ref,
    your_bank_account_id: merchant.bankAccountId,
    channels: JSON.parse(payout.channels),
    payouts: [
      {
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
        metadata: JSON.parse(payout.payoutMetadata),
      },
    ],
    metadata: JSON.parse(payout.metadata),
  };
}
