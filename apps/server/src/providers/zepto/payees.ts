import type { PayoutOrder } from '#ports/direct-debit.ts';
import { BankAccountRow, ContactAnswer, ContactRow } from './answers.ts';
import type { ZeptoClient } from './client.ts';
import { plainName } from './translate.ts';

type Payee = Pick<PayoutOrder, 'name' | 'email' | 'bsb' | 'accountNumber'>;

const digits = (text: string | null | undefined): string => (text ?? '').replace(/\D/g, '');

function isContactOf({ name, bank_account: account }: ContactRow, payee: Payee): boolean {
  const isSameAccount =
    digits(account?.branch_code) === digits(payee.bsb) &&
    digits(account?.account_number) === digits(payee.accountNumber);
  return isSameAccount && name === plainName(payee.name) && account?.state !== 'removed';
}

/** The contact to pay, made when there is none: adding it twice would do no harm, only clutter. */
export async function findOrAddPayee(client: ZeptoClient, payee: Payee): Promise<string> {
  const query = { email: payee.email };
  for await (const contact of client.list(ContactRow, { purpose: 'look for a payee', path: '/contacts', query })) {
    if (isContactOf(contact, payee)) return contact.id;
  }
  const name = plainName(payee.name) || payee.email;
  const { email, bsb, accountNumber } = payee;
  const body = { name, email, branch_code: bsb, account_number: accountNumber };
  const purpose = 'add a payee';
  return (await client.read(ContactAnswer, { purpose, method: 'POST', path: '/contacts/anyone', body })).data.id;
}

/**
 * The account that payouts are made from: our only active one. Undefined, for Zepto's primary one, when there are
 * several.
 */
export async function findOnlyBankAccount(client: ZeptoClient): Promise<string | undefined> {
  const active: string[] = [];
  const call = { purpose: 'list our accounts', path: '/bank_accounts' };
  for await (const account of client.list(BankAccountRow, call, { takesPageSize: false })) {
    if (!account.status || account.status === 'active') active.push(account.id);
  }
  return active.length === 1 ? active[0] : undefined;
}
