import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '#world/database.ts';
import { uuidFrom } from '#world/seeded.ts';
import { notFound, unprocessable } from './problem.ts';
import { nextRef } from './refs.ts';

export const Metadata = z.record(z.string(), z.unknown());

export interface Contact {
  id: string;
  ref: string;
  name: string;
  email: string;
  bankAccountId: string;
  branchCode: string;
  accountNumber: string;
  metadata: Record<string, unknown>;
  isRemoved: number;
}

interface Row extends Omit<Contact, 'metadata'> {
  metadata: string;
}

const columns = `id, ref, name, email, bank_account_id as bankAccountId, branch_code as branchCode,
  account_number as accountNumber, metadata, is_removed as isRemoved`;

const toContact = (row: Row): Contact => ({ ...row, metadata: Metadata.parse(JSON.parse(row.metadata)) });

export interface NewContact {
  name: string;
  email: string;
  branchCode: string;
  accountNumber: string;
  metadata: Record<string, unknown>;
}

function check({ name, branchCode, accountNumber }: NewContact): void {
  if (!/^[ -~]{1,140}$/.test(name)) throw unprocessable('Name is in invalid format');
  if (!/^\d{6}$/.test(branchCode) || branchCode === '100000')
    throw unprocessable('Bank account branch code is invalid');
  if (!/^\d{5,9}$/.test(accountNumber)) throw unprocessable('Bank account account number is invalid');
}

export function addContact(db: Db, contact: NewContact, at: number): Contact {
  const wanted = { ...contact, branchCode: contact.branchCode.replace('-', '') };
  check(wanted);
  const row = db.find<Row>(
    `insert into contacts (id, ref, name, email, bank_account_id, branch_code, account_number, metadata, is_removed, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?) returning ${columns}`,
    randomUUID(),
    nextRef(db, 'CNT'),
    wanted.name,
    wanted.email,
    randomUUID(),
    wanted.branchCode,
    wanted.accountNumber,
    JSON.stringify(wanted.metadata),
    at,
  );
  if (row === undefined) throw new Error('The contact was not stored.');
  return toContact(row);
}

/** Also one that was removed since: its debits go on. */
export function findAnyContact(db: Db, id: string): Contact {
  const row = db.find<Row>(`select ${columns} from contacts where id = ?`, id);
  if (row === undefined) throw notFound('Contact');
  return toContact(row);
}

export function getContact(db: Db, id: string): Contact {
  const contact = findAnyContact(db, id);
  if (contact.isRemoved === 1) throw notFound('Contact');
  return contact;
}

export const listContacts = (db: Db, email: string | undefined, limit: number, offset: number): Contact[] =>
  db
    .all<Row>(
      `select ${columns} from contacts where is_removed = 0 and (?1 is null or email = ?1) order by created_at desc, rowid desc limit ?2 offset ?3`,
      email ?? null,
      limit,
      offset,
    )
    .map(toContact);

export function updateContact(db: Db, id: string, change: Partial<NewContact>): Contact {
  const before = getContact(db, id);
  const after = { ...before, ...change };
  check(after);
  const isMoved = before.branchCode !== after.branchCode || before.accountNumber !== after.accountNumber;
  db.run(
    `update contacts set name = ?, email = ?, branch_code = ?, account_number = ?, metadata = ?, bank_account_id = ? where id = ?`,
    after.name,
    after.email,
    after.branchCode,
    after.accountNumber,
    JSON.stringify(after.metadata),
    isMoved ? randomUUID() : before.bankAccountId,
    id,
  );
  return getContact(db, id);
}

export const removeContact = (db: Db, id: string): number =>
  db.run('update contacts set is_removed = 1 where id = ?', getContact(db, id).id);

export const anyoneAccountId = ({ id }: Pick<Contact, 'id'>): string => uuidFrom(`anyone ${id}`);

export const presentContact = (origin: string, contact: Contact) => ({
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
  anyone_account: { id: anyoneAccountId(contact) },
  bank_connection: { id: null },
  links: { add_bank_connection: `${origin}/zepto/invite_contact/${contact.id}` },
});
