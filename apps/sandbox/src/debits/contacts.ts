import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import { uuidFrom } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { nextRef } from './account.ts';
import { Metadata, notFound, parse, type Query, sendPage, unprocessable } from './answers.ts';

export interface Contact {
  id: string;
  ref: string;
  name: string;
  email: string;
  bankAccountId: string;
  branchCode: string;
  accountNumber: string;
  metadata: Metadata;
  isRemoved: number;
  createdAt: number;
}

const contacts = table<Contact>('contacts', ['metadata']);

type NewContact = Pick<Contact, 'name' | 'email' | 'branchCode' | 'accountNumber' | 'metadata'>;

export function addContact(db: Db, wanted: NewContact, createdAt: number): Contact {
  const { name, accountNumber } = wanted;
  const branchCode = wanted.branchCode.replace('-', '');
  if (!/^[ -~]{1,140}$/.test(name)) throw unprocessable('Name is in invalid format');
  if (!/^\d{6}$/.test(branchCode) || branchCode === '100000')
    throw unprocessable('Bank account branch code is invalid');
  if (!/^\d{5,9}$/.test(accountNumber)) throw unprocessable('Bank account account number is invalid');
  const made = { id: randomUUID(), ref: nextRef(db, 'CNT'), bankAccountId: randomUUID(), isRemoved: 0, createdAt };
  return contacts.insert(db, { ...made, ...wanted, branchCode });
}

/** Returns a contact, even one removed since: its debits continue. */
export function findAnyContact(db: Db, id: string): Contact {
  const contact = contacts.find(db, { id });
  if (contact === undefined) throw notFound('Contact');
  return contact;
}

export function getContact(db: Db, id: string): Contact {
  const contact = findAnyContact(db, id);
  if (contact.isRemoved === 1) throw notFound('Contact');
  return contact;
}

export const anyoneAccountId = (contactId: string): string => uuidFrom(`anyone ${contactId}`);

const present = (origin: string, contact: Contact) => ({
  id: contact.id,
  ref: contact.ref,
  name: contact.name,
  email: contact.email,
  type: 'anyone',
  metadata: contact.metadata,
  bank_account: {
    id: contact.bankAccountId,
    account_number: contact.accountNumber,
    branch_code: contact.branchCode,
    bank_name: 'Zepto SANDBOX Bank',
    state: 'active',
    iav_provider: null,
    iav_status: null,
    blocks: { debits_blocked: false, credits_blocked: false },
  },
  anyone_account: { id: anyoneAccountId(contact.id) },
  bank_connection: { id: null },
  links: { add_bank_connection: `${origin}/zepto/invite_contact/${contact.id}` },
});

const Body = z.object({
  name: z.string(),
  email: z.string().min(6).max(256),
  branch_code: z.string(),
  account_number: z.string(),
  metadata: Metadata.default({}),
});

interface Path {
  Params: { id: string };
  Querystring: Query;
}

const wanted = (value: unknown): string | null => (value === undefined ? null : String(value));

export function contactRoutes(app: FastifyInstance, { db, clock, origin }: World): void {
  app.post('/contacts/anyone', async ({ body }, reply) => {
    const { branch_code: branchCode, account_number: accountNumber, ...rest } = parse(Body, body);
    const contact = addContact(db, { ...rest, branchCode, accountNumber }, clock.now());
    return reply.status(201).send({ data: present(origin, contact) });
  });

  app.get<Path>('/contacts', async (request, reply) => {
    const { email, name } = request.query;
    const filter =
      'where is_removed = 0 and (?1 is null or email = ?1) and (?2 is null or instr(lower(name), lower(?2)) > 0)';
    const rest = `${filter} order by created_at desc, rowid desc limit ?3 offset ?4`;
    const read = (limit: number, offset: number) =>
      contacts.select(db, rest, wanted(email), wanted(name), limit, offset);
    return sendPage(request, reply, origin, read, (contact) => present(origin, contact));
  });

  app.get<Path>('/contacts/:id', async ({ params }) => ({ data: present(origin, getContact(db, params.id)) }));

  app.delete<Path>('/contacts/:id', async ({ params }, reply) => {
    contacts.update(db, { id: getContact(db, params.id).id }, { isRemoved: 1 });
    return reply.status(204).send();
  });
}
