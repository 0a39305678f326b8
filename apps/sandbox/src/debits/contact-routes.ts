import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { World } from '#world/world.ts';
import { addAgreement, cancelAgreement, getAgreement, listAgreements, presentAgreement, Terms } from './agreements.ts';
import { parse } from './body.ts';
import {
  addContact,
  getContact,
  listContacts,
  Metadata,
  presentContact,
  removeContact,
  updateContact,
} from './contacts.ts';
import { merchant } from './merchant.ts';
import { publish } from './notices.ts';
import { pageOf, sendPage } from './pages.ts';

interface Path {
  Params: { id: string; ref: string };
  Querystring: Record<string, unknown>;
}

const NewContact = z.object({
  name: z.string(),
  email: z.string().min(6).max(256),
  branch_code: z.string(),
  account_number: z.string(),
  metadata: Metadata.default({}),
});

const Kyc = z.object({
  authoriser: z.object({
    name: z.string(),
    email: z.string().min(6).max(256),
    phone: z.string().optional(),
    bank_account: z.object({ branch_code: z.string(), account_number: z.string() }),
    metadata: Metadata.default({}),
  }),
  terms: Terms,
  metadata: Metadata.default({}),
});

const noTerms = { per_payout: { min_amount: 1, max_amount: null }, per_frequency: { days: null, max_amount: null } };

export function contactRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  /** Creates contact, account and accepted agreement together, for trusted merchants. */
  app.post('/agreements/kyc', async ({ body }, reply) => {
    const { authoriser, terms, metadata } = parse(Kyc.extend({ terms: Terms.default(noTerms) }), body);
    const { name, email, bank_account: account } = authoriser;
    const data = db.atomically(() => {
      const contact = addContact(
        db,
        {
          name,
          email,
          branchCode: account.branch_code,
          accountNumber: account.account_number,
          metadata: authoriser.metadata,
        },
        clock.now(),
      );
      const agreement = presentAgreement(db, addAgreement(db, contact, terms, metadata, clock.now()));
      publish(world, 'agreement.accepted', [agreement], clock.now());
      return agreement;
    });
    return reply.status(201).send({ data });
  });

  app.get<Path>('/agreements/outgoing', async (request, reply) => {
    const page = pageOf(request);
    const { contact_id: contactId, status } = request.query;
    const filter = {
      contactId: contactId === undefined ? undefined : String(contactId),
      status: status === undefined ? undefined : String(status),
    };
    const rows = listAgreements(db, filter, page.limit + 1, page.offset);
    return sendPage(reply, origin, rows, page, (agreement) => presentAgreement(db, agreement));
  });

  app.get<Path>('/agreements/:ref', async ({ params }) => ({
    data: presentAgreement(db, getAgreement(db, params.ref)),
  }));

  app.delete<Path>('/agreements/:ref', async ({ params }, reply) => {
    db.atomically(() => {
      cancelAgreement(db, params.ref, clock.now());
      publish(world, 'agreement.cancelled', [presentAgreement(db, getAgreement(db, params.ref))], clock.now());
    });
    return reply.status(204).send();
  });

  app.post('/contacts/anyone', async ({ body }, reply) => {
    const { name, email, branch_code: branchCode, account_number: accountNumber, metadata } = parse(NewContact, body);
    const contact = addContact(db, { name, email, branchCode, accountNumber, metadata }, clock.now());
    return reply.status(201).send({ data: presentContact(origin, contact) });
  });

  app.get<Path>('/contacts', async (request, reply) => {
    const page = pageOf(request);
    const { email } = request.query;
    const rows = listContacts(db, email === undefined ? undefined : String(email), page.limit + 1, page.offset);
    return sendPage(reply, origin, rows, page, (contact) => presentContact(origin, contact));
  });

  app.get<Path>('/contacts/:id', async ({ params }) => ({ data: presentContact(origin, getContact(db, params.id)) }));

  app.patch<Path>('/contacts/:id', async ({ params, body }) => {
    const { branch_code: branchCode, account_number: accountNumber, ...rest } = parse(NewContact.partial(), body);
    const given = { ...rest, branchCode, accountNumber };
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return { data: presentContact(origin, updateContact(db, params.id, change)) };
  });

  app.delete<Path>('/contacts/:id', async ({ params }, reply) => {
    removeContact(db, params.id);
    return reply.status(204).send();
  });

  app.get('/bank_accounts', async (_request, reply) => {
    const sums = db.find<{ collected: number; paid: number }>(
      `select coalesce(sum(case type when 'credit' then amount else 0 end), 0) as collected,
         coalesce(sum(case type when 'debit' then amount else 0 end), 0) as paid
       from transactions where side = 'ours' and status = 'cleared'`,
    );
    const account = {
      id: merchant.bankAccountId,
      branch_code: merchant.branchCode,
      bank_name: 'Zepto Float Account',
      account_number: merchant.accountNumber,
      status: 'active',
      title: 'Float Account',
      available_balance: (sums?.collected ?? 0) - (sums?.paid ?? 0),
    };
    return reply.header('per-page', '25').send({ data: [account] });
  });

  app.get('/user', async () => ({
    data: {
      first_name: 'Sandbox',
      last_name: 'Merchant',
      email: 'merchant@sandbox.test',
      account: { name: 'Sandbox Merchant', nickname: 'sandbox-merchant' },
    },
  }));
}
