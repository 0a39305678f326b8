import { type Cents, noCents, subtract, total } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { getReceivable } from '#features/accounting/bookkeeping/club-corrections.ts';
import { clubWriteOff } from '#features/accounting/bookkeeping/ledger-acts.ts';
import { rePresentsCode6Return } from '#features/collections/debits/debit-repository.ts';
import { type Approval, listApprovals } from '#features/core/approvals/approval-repository.ts';
import { findRemittance } from '#features/disbursements/remittances/find-remittance.ts';
import { refund } from '#features/disbursements/repayments/refund-act.ts';
import { listOpenRepayments } from '#features/disbursements/repayments/repayment-repository.ts';
import type { Clock } from '#ports/clock.ts';
import { findPayment } from './decide-payment.ts';
import { type BookedEntry, listEntries, type PaymentRecord } from './payment-repository.ts';
import {
  findFacts,
  listMails,
  listNotes,
  listNotesOfRemittance,
  listPurchases,
  listRelated,
  listRetries,
  type PaymentFacts,
  type PaymentMail,
  type PaymentNote,
  type PurchaseLine,
  type RelatedPayment,
} from './trace-repository.ts';

export interface PaymentTrace extends PaymentFacts {
  payment: PaymentRecord;
  purchases: PurchaseLine[];
  /** True if it consists of more purchases than are listed. */
  hasMorePurchases: boolean;
  /** True if it re-presented a debit returned with code 6. */
  isSecondReturn: boolean;
  related: RelatedPayment[];
  entries: BookedEntry[];
  mails: PaymentMail[];
  notes: PaymentNote[];
  /** Amount of a debit that can still be refunded; null for a payment that is never refunded. */
  refundableCents: Cents | null;
  /** Debt of its club after debits were reversed or refunded. */
  clubOwesCents: Cents;
  /** Acts about it that wait for a second person. */
  waiting: Approval[];
}

const maxPurchases = 200;
const maxRelated = 50;
const maxApprovals = 200;

/** Traces a payment: composition, outcome, bookings, emails and waiting acts. */
export async function tracePayment(deps: { db: Pool; clock: Clock }, reference: string): Promise<PaymentTrace> {
  const payment = await findPayment(deps.db, reference);
  const { supporterId, id } = payment;
  const trace = await (supporterId ? ofSupporter(deps.db, payment, supporterId) : ofClub(deps.db, payment));
  const place = supporterId ? deps.db.of(supporterId) : deps.db;
  const aboutIt: Record<string, string | undefined> = { [refund.name]: id, [clubWriteOff.name]: trace.club?.id };
  const acts = Object.keys(aboutIt);
  const now = deps.clock.now();
  const approvals = await listApprovals(deps.db, { now, limit: maxApprovals, isOpenOnly: true, acts });
  return {
    payment,
    ...trace,
    mails: await listMails(place, payment),
    waiting: approvals.filter(({ act, arguments: args }) => Object.values(args).includes(aboutIt[act])),
  };
}

type Own = Omit<PaymentTrace, 'payment' | 'mails' | 'waiting'>;

async function ofSupporter(pool: Pool, payment: PaymentRecord, supporterId: string): Promise<Own> {
  const db = pool.of(supporterId);
  const { id, kind } = payment;
  const isDebit = kind === 'debit' || kind === 'donation';
  const facts = await findFacts(db, supporterId, id);
  const purchases = isDebit ? await listPurchases(db, supporterId, id, maxPurchases + 1) : [];
  const entries = await listEntries(db, payment);
  const refunded = isDebit ? await listOpenRepayments(db, { supporterId, id }) : [];
  const clubId = facts?.club?.id;
  const clearedOn = entries.find(
    ({ transfer, account }) => transfer === 'cleared' && account === 'club_payable',
  )?.bookedOn;
  const payout = clubId && clearedOn ? await findRemittance(pool, clubId, clearedOn) : undefined;
  const related = await listRelated(db, payment, maxRelated);
  const wasTakenBack = payment.state === 'reversed' || refunded.length > 0;
  return {
    ...(facts ?? { supporter: null, club: null, account: null, savingsCents: null, refundsCents: null, reason: null }),
    purchases: purchases.slice(0, maxPurchases),
    hasMorePurchases: purchases.length > maxPurchases,
    isSecondReturn: kind === 'debit' && (await rePresentsCode6Return(db, { supporterId, id })),
    related: payout ? [...related, { ...payout, relation: 'paid_to_club_by', kind: 'remittance' }] : related,
    entries,
    notes: await listNotes(db, supporterId, id),
    refundableCents: isDebit && payment.state === 'cleared' ? left(payment.amount, refunded) : null,
    clubOwesCents: clubId && wasTakenBack ? await getReceivable(pool, clubId) : noCents,
  };
}

const left = (amount: Cents, refunded: { amount: Cents }[]): Cents =>
  subtract(amount, total(refunded.map((each) => each.amount)));

async function ofClub(pool: Pool, payment: PaymentRecord): Promise<Own> {
  const clubId = payment.clubId ?? '';
  const [club] = await pool<{ id: string; name: string }[]>`select id, name from clubs where id = ${clubId}`;
  return {
    supporter: null,
    club: club ?? null,
    account: null,
    savingsCents: null,
    refundsCents: null,
    reason: null,
    purchases: [],
    hasMorePurchases: false,
    isSecondReturn: false,
    related: await listRetries(pool, payment.id, maxRelated),
    entries: await listEntries(pool, payment),
    notes: await listNotesOfRemittance(pool, payment.id),
    refundableCents: null,
    clubOwesCents: await getReceivable(pool, clubId),
  };
}
