import { personNamed } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { InvalidInput, NotFound } from '#errors.ts';
import { stateOf } from '#features/accounting/payments/payment-repository.ts';
import { tracePayment } from '#features/accounting/payments/trace-payment.ts';
import { listPurchases } from '#features/accounting/payments/trace-repository.ts';
import { namesOfPeople } from '#features/core/approvals/names-of-people.ts';
import { findRequestText } from '#features/correspondence/direct-debit-request/request-text.ts';
import type { Clock } from '#ports/clock.ts';
import { type ActOnDebit, findRequestOf, listActsOn, listNotices } from './dossier-repository.ts';

const maxLines = 2_000;
const maxActs = 200;
const maxNotices = 200;

export type Dossier = Awaited<ReturnType<typeof readDossier>>;

/**
 * Reads all that shows that a debit or one-off donation was asked for, announced and booked. It names its own supporter alone, masks
 * the account and leaves merchants out. Throws NotFound, or InvalidInput for a payment that takes money from nobody.
 */
export async function readDossier(deps: { db: Pool; clock: Clock; issuer: string }, reference: string) {
  const { payment, supporter, club, account, related, entries, ...trace } = await tracePayment(deps, reference);
  const { id, supporterId, kind } = payment;
  if ((kind !== 'debit' && kind !== 'donation') || supporterId === null)
    throw new InvalidInput('There are dossiers of debits and one-off donations only.');
  const db = deps.db.of(supporterId);
  const request = await findRequestOf(db, supporterId, id);
  if (!request || !supporter) throw new NotFound('The request of the debit');
  const { textHash, ...agreed } = request;
  const text = textHash === null ? undefined : await findRequestText(deps.db, textHash);
  const lines = await listPurchases(db, supporterId, id, maxLines + 1);
  const notices = await listNotices(db, supporterId, id, payment.reference, maxNotices + 1);
  const acts = await listActsOn(db, supporterId, id, maxActs + 1);
  return {
    format: 'Sparechange dossier of a debit, version 1',
    madeAt: deps.clock.now(),
    issuer: deps.issuer,
    debit: {
      reference: payment.reference,
      id,
      kind,
      amountCents: payment.amount,
      savingsCents: trace.savingsCents,
      refundedPurchasesCents: trace.refundsCents,
      state: stateOf(payment),
      account,
      providerReference: payment.providerRef,
      plannedAt: payment.plannedAt,
      submittedAt: payment.submittedAt,
      outcomeAt: payment.outcomeAt,
      returnCode: payment.returnCode,
      failure: payment.failure,
    },
    supporter,
    club,
    request: { ...agreed, text: text?.content ?? null, textSha256: textHash },
    notices: notices.slice(0, maxNotices),
    bankLines: lines.slice(0, maxLines),
    /** Payments of the same money before and after; a payout is left out, as it holds other people's money too. */
    related: related.filter(({ relation }) => relation !== 'paid_to_club_by'),
    ledger: entries,
    acts: await withNames(deps.db, acts.slice(0, maxActs)),
    leftOut: [
      ...(lines.length > maxLines ? [`Bank lines beyond the latest ${maxLines}.`] : []),
      ...(notices.length > maxNotices ? [`Notices beyond the first ${maxNotices}.`] : []),
      ...(acts.length > maxActs ? [`Acts beyond the first ${maxActs}.`] : []),
      ...(textHash === null ? ['The wording of the request: it was agreed to before wordings were kept.'] : []),
    ],
  };
}

/** Names the people of the console; the audit log knows them by id. */
async function withNames(db: Pool, acts: ActOnDebit[]): Promise<ActOnDebit[]> {
  const people = acts.flatMap(({ by }) => personNamed(by ?? '') ?? []);
  const names = people.length === 0 ? new Map<string, string>() : await namesOfPeople(db, people);
  return acts.map((act) => ({ ...act, by: names.get(personNamed(act.by ?? '') ?? '') ?? act.by }));
}
