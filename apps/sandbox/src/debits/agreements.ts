import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { merchant, nextRef } from './account.ts';
import { Metadata, notFound, parse, type Query, sendPage } from './answers.ts';
import { addContact, anyoneAccountId, findAnyContact } from './contacts.ts';
import { publish } from './transactions.ts';

const Terms = z.object({
  per_payout: z.object({ min_amount: z.int().nullable().default(1), max_amount: z.int().nullable() }),
  per_frequency: z.object({ days: z.coerce.number().int().nullable(), max_amount: z.int().nullable() }),
});

const noTerms = { per_payout: { min_amount: 1, max_amount: null }, per_frequency: { days: null, max_amount: null } };

const Kyc = z.object({
  authoriser: z.object({
    name: z.string(),
    email: z.string().min(6).max(256),
    phone: z.string().optional(),
    bank_account: z.object({ branch_code: z.string(), account_number: z.string() }),
    metadata: Metadata.default({}),
  }),
  terms: Terms.default(noTerms),
  metadata: Metadata.default({}),
});

export interface Agreement {
  ref: string;
  authoriserId: string;
  contactId: string;
  status: 'accepted' | 'cancelled';
  terms: z.infer<typeof Terms>;
  metadata: Metadata;
  createdAt: number;
  respondedAt: number;
}

const agreements = table<Agreement>('agreements', ['terms', 'metadata']);
const newestFirst = 'order by created_at desc, rowid desc';

export const findAcceptedAgreement = (db: Db, contactId: string): Agreement | undefined =>
  agreements.find(db, { contactId, status: 'accepted' }, newestFirst);

function getAgreement(db: Db, ref: string): Agreement {
  const agreement = agreements.find(db, { ref });
  if (agreement === undefined) throw notFound('Agreement');
  return agreement;
}

/** Cancels agreements and notifies the merchant of them. */
function cancel(world: World, cancelled: Agreement[]): void {
  const now = world.clock.now();
  for (const { ref } of cancelled) agreements.update(world.db, { ref }, { status: 'cancelled', respondedAt: now });
  const data = cancelled.map(({ ref }) => present(world.db, getAgreement(world.db, ref)));
  if (data.length > 0) publish(world, 'agreement.cancelled', data, now);
}

/** Cancels, at the payer's bank, every agreement of theirs that is in effect; returns their references. */
export function cancelAgreementsOf(world: World, email: string): string[] {
  const ofPayer = 'contact_id in (select id from contacts where email = ?)';
  const accepted = agreements.select(
    world.db,
    `where status = 'accepted' and ${ofPayer} order by created_at, rowid`,
    email,
  );
  cancel(world, accepted);
  return accepted.map(({ ref }) => ref);
}

function present(db: Db, agreement: Agreement) {
  const { contactId, status } = agreement;
  return {
    ref: agreement.ref,
    initiator_id: merchant.accountId,
    authoriser_id: agreement.authoriserId,
    contact_id: contactId,
    bank_account_id: findAnyContact(db, contactId).bankAccountId,
    status,
    status_reason: status === 'cancelled' ? 'Cancelled' : '',
    responded_at: isoInstant(agreement.respondedAt),
    created_at: isoInstant(agreement.createdAt),
    terms: agreement.terms,
    metadata: agreement.metadata,
  };
}

interface Path {
  Params: { ref: string };
  Querystring: Query;
}

export function agreementRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  /** Creates contact, account and accepted agreement together, for trusted merchants. */
  app.post('/agreements/kyc', async ({ body }, reply) => {
    const { authoriser, terms, metadata } = parse(Kyc, body);
    const { branch_code: branchCode, account_number: accountNumber } = authoriser.bank_account;
    const { name, email, metadata: ofContact } = authoriser;
    const now = clock.now();
    const data = db.atomically(() => {
      const contact = addContact(db, { name, email, branchCode, accountNumber, metadata: ofContact }, now);
      const parties = { authoriserId: anyoneAccountId(contact.id), contactId: contact.id };
      const times = { createdAt: now, respondedAt: now };
      const made = { ref: nextRef(db, 'A'), ...parties, status: 'accepted' as const, terms, metadata, ...times };
      const agreement = present(db, agreements.insert(db, made));
      publish(world, 'agreement.accepted', [agreement], now);
      return agreement;
    });
    return reply.status(201).send({ data });
  });

  app.get<Path>('/agreements/outgoing', async (request, reply) => {
    const { contact_id: contactId = null, status = null } = request.query;
    const wanted = [contactId, status].map((value) => (value === null ? null : String(value)));
    const filter = 'where (?1 is null or contact_id = ?1) and (?2 is null or status = ?2)';
    const read = (limit: number, offset: number) =>
      agreements.select(db, `${filter} ${newestFirst} limit ?3 offset ?4`, ...wanted, limit, offset);
    return sendPage(request, reply, origin, read, (agreement) => present(db, agreement));
  });

  app.get<Path>('/agreements/:ref', async ({ params }) => ({ data: present(db, getAgreement(db, params.ref)) }));

  app.delete<Path>('/agreements/:ref', async ({ params }, reply) => {
    db.atomically(() => cancel(world, [getAgreement(db, params.ref)]));
    return reply.status(204).send();
  });
}
