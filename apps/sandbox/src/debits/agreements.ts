import { z } from 'zod';
import type { Db } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import { anyoneAccountId, type Contact, findAnyContact, Metadata } from './contacts.ts';
import { merchant } from './merchant.ts';
import { notFound } from './problem.ts';
import { nextRef } from './refs.ts';

export const Terms = z.object({
  per_payout: z.object({ min_amount: z.int().nullable().default(1), max_amount: z.int().nullable() }),
  per_frequency: z.object({ days: z.coerce.number().int().nullable(), max_amount: z.int().nullable() }),
});
export type Terms = z.infer<typeof Terms>;

export interface Agreement {
  ref: string;
  contactId: string;
  status: 'accepted' | 'cancelled';
  terms: Terms;
  metadata: Record<string, unknown>;
  createdAt: number;
  respondedAt: number;
}

interface Row extends Omit<Agreement, 'terms' | 'metadata'> {
  terms: string;
  metadata: string;
}

const columns = `ref, contact_id as contactId, status, terms, metadata, created_at as createdAt, responded_at as respondedAt`;

const toAgreement = (row: Row): Agreement => ({
  ...row,
  terms: Terms.parse(JSON.parse(row.terms)),
  metadata: Metadata.parse(JSON.parse(row.metadata)),
});

export function addAgreement(
  db: Db,
  contact: Contact,
  terms: Terms,
  metadata: Record<string, unknown>,
  at: number,
): Agreement {
  const row = db.find<Row>(
    `insert into agreements (ref, authoriser_id, contact_id, status, terms, metadata, created_at, responded_at)
     values (?, ?, ?, 'accepted', ?, ?, ?, ?) returning ${columns}`,
    nextRef(db, 'A'),
    anyoneAccountId(contact),
    contact.id,
    JSON.stringify(terms),
    JSON.stringify(metadata),
    at,
    at,
  );
  if (row === undefined) throw new Error('The agreement was not stored.');
  return toAgreement(row);
}

export function getAgreement(db: Db, ref: string): Agreement {
  const row = db.find<Row>(`select ${columns} from agreements where ref = ?`, ref);
  if (row === undefined) throw notFound('Agreement');
  return toAgreement(row);
}

export function findAcceptedAgreement(db: Db, contactId: string): Agreement | undefined {
  const row = db.find<Row>(
    `select ${columns} from agreements where contact_id = ? and status = 'accepted' order by created_at desc, rowid desc limit 1`,
    contactId,
  );
  return row === undefined ? undefined : toAgreement(row);
}

export const cancelAgreement = (db: Db, ref: string, at: number): number =>
  db.run("update agreements set status = 'cancelled', responded_at = ? where ref = ?", at, getAgreement(db, ref).ref);

export interface AgreementFilter {
  contactId?: string | undefined;
  status?: string | undefined;
}

export const listAgreements = (
  db: Db,
  { contactId, status }: AgreementFilter,
  limit: number,
  offset: number,
): Agreement[] =>
  db
    .all<Row>(
      `select ${columns} from agreements where (?1 is null or contact_id = ?1) and (?2 is null or status = ?2)
       order by created_at desc, rowid desc limit ?3 offset ?4`,
      contactId ?? null,
      status ?? null,
      limit,
      offset,
    )
    .map(toAgreement);

/** The payer, at their bank, cancels every agreement of theirs that is in effect; answers which these were. */
export function cancelAgreementsOf(db: Db, email: string, at: number): Agreement[] {
  const refs = db.all<{ ref: string }>(
    `select a.ref from agreements a join contacts c on c.id = a.contact_id
     where c.email = ? and a.status = 'accepted' order by a.created_at, a.rowid`,
    email,
  );
  return refs.map(({ ref }) => {
    cancelAgreement(db, ref, at);
    return getAgreement(db, ref);
  });
}

export function presentAgreement(db: Db, agreement: Agreement) {
  const contact = findAnyContact(db, agreement.contactId);
  return {
    ref: agreement.ref,
    initiator_id: merchant.accountId,
    authoriser_id: anyoneAccountId(contact),
    contact_id: contact.id,
    bank_account_id: contact.bankAccountId,
    status: agreement.status,
    status_reason: agreement.status === 'cancelled' ? 'Cancelled' : '',
    responded_at: isoInstant(agreement.respondedAt),
    created_at: isoInstant(agreement.createdAt),
    terms: agreement.terms,
    metadata: agreement.metadata,
  };
}
