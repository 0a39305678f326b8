import type { MandateRequest } from '#ports/direct-debit.ts';
import { ProviderUnavailable } from '#ports/errors.ts';
import { AgreementAnswer, AgreementRow, ContactAnswer, ContactRow } from './answers.ts';
import type { ZeptoClient } from './client.ts';
import { plainName } from './translate.ts';

const isInEffect = ({ status }: { status: string }): boolean => status === 'accepted';

/** Statuses from which an agreement never comes back. */
const endedStatuses = ['cancelled', 'declined', 'expended'];

export const hasEnded = ({ status }: { status: string }): boolean => endedStatuses.includes(status);

/**
 * Registers a mandate we hold (KYC-trusted): contact, bank account and accepted agreement in one call. The call
 * takes no idempotency key, so what an earlier one with this id made is looked for first.
 */
export async function createMandate(client: ZeptoClient, request: MandateRequest): Promise<string> {
  const known = await findAmong(contactsOf(client, { email: request.email }), client, request.id);
  if (known) return known;
  const { data } = await client.read(AgreementAnswer, {
    purpose: 'register a mandate',
    method: 'POST',
    path: '/agreements/kyc',
    body: {
      authoriser: {
        name: plainName(request.name) || request.email,
        email: request.email,
        bank_account: { branch_code: request.bsb, account_number: request.accountNumber },
        metadata: { mandate_id: request.id },
      },
      terms: {
        per_payout: { min_amount: 1, max_amount: request.ceiling },
        per_frequency: { days: null, max_amount: null },
      },
      metadata: { mandate_id: request.id },
    },
  });
  if (!isInEffect(data)) throw new ProviderUnavailable(`Zepto holds the mandate ${data.ref} as ${data.status}`);
  return data.contact_id;
}

/** Finds an earlier call's contact whose agreement is in effect. Our id is in its metadata, by which Zepto does not search. */
export async function findMandate(
  client: ZeptoClient,
  { id, name, email }: Pick<MandateRequest, 'id' | 'name' | 'email'>,
): Promise<string | undefined> {
  const byEmail = await findAmong(contactsOf(client, { email }), client, id);
  const sent = plainName(name);
  return byEmail || sent === '' ? byEmail : findAmong(namesakes(client, sent), client, id);
}

const contactsOf = (client: ZeptoClient, query: { email: string } | { name: string }) =>
  client.list(ContactRow, { purpose: 'look for a contact', path: '/contacts', query }, { mustReadAll: true });

/** Lists contacts of a name: the filter searches within names. */
async function* namesakes(client: ZeptoClient, name: string): AsyncIterable<ContactRow> {
  for await (const contact of contactsOf(client, { name })) if (contact.name === name) yield contact;
}

async function findAmong(contacts: AsyncIterable<ContactRow>, client: ZeptoClient, id: string) {
  for await (const contact of contacts) {
    if ((await mandateIdOf(client, contact)) !== id) continue;
    if (await isMandateInEffect(client, contact.id)) return contact.id;
  }
  return undefined;
}

/** Asks for the contact where its list row lacks metadata. */
async function mandateIdOf(client: ZeptoClient, contact: ContactRow): Promise<unknown> {
  if (contact.metadata) return contact.metadata.mandate_id;
  const path = `/contacts/${encodeURIComponent(contact.id)}`;
  return (await client.read(ContactAnswer, { purpose: 'get a contact', path })).data.metadata?.mandate_id;
}

/** Withdraws every mandate of that payer, if any are left. */
export async function cancelMandate(client: ZeptoClient, mandateRef: string): Promise<void> {
  for await (const ref of agreementsOf(client, mandateRef)) {
    await client.call({
      purpose: 'cancel a mandate',
      method: 'DELETE',
      path: `/agreements/${encodeURIComponent(ref)}`,
    });
  }
}

/** Returns whether any agreement with the payer is in effect. */
export async function isMandateInEffect(client: ZeptoClient, mandateRef: string): Promise<boolean> {
  for await (const _ref of agreementsOf(client, mandateRef)) return true;
  return false;
}

/** Lists payers of ended agreements, asking for each status separately. */
export async function* listEndedMandates(client: ZeptoClient): AsyncIterable<string> {
  for (const status of ['cancelled', 'declined']) {
    const call = { purpose: `list ${status} mandates`, path: '/agreements/outgoing', query: { status } };
    for await (const agreement of client.list(AgreementRow, call)) {
      if (hasEnded(agreement)) yield agreement.contact_id;
    }
  }
}

/** Yields a payer's agreements in effect; throws ProviderUnavailable after them where a row cannot be read. */
async function* agreementsOf(client: ZeptoClient, contactId: string): AsyncIterable<string> {
  const call = { purpose: 'look for a mandate', path: '/agreements/outgoing', query: { contact_id: contactId } };
  for await (const agreement of client.list(AgreementRow, call, { mustReadAll: true })) {
    if (agreement.contact_id === contactId && isInEffect(agreement)) yield agreement.ref;
  }
}
