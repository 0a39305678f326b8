import type { Db } from '#world/database.ts';
import { type BankAccount, type Customer, customerOf } from './customers.ts';

/** Registers a customer's account numbers for debits to find statements. */
export function registerAccounts(db: Db, customer: Customer): void {
  for (const { bsb, number, position } of customer.accounts) {
    if (bsb === '') continue;
    db.run(
      'insert or ignore into bank_accounts (bsb, number, institution, crn, position) values (?, ?, ?, ?, ?)',
      bsb,
      number,
      customer.institution,
      customer.crn,
      position,
    );
  }
}

export interface KnownAccount {
  customer: Customer;
  account: BankAccount;
}

export function findAccountByNumber(db: Db, bsb: string, number: string): KnownAccount | undefined {
  const owner = db.find<{ institution: string; crn: string; position: number }>(
    'select institution, crn, position from bank_accounts where bsb = ? and number = ?',
    bsb.replace('-', ''),
    number,
  );
  if (owner === undefined) return undefined;
  const customer = customerOf(owner.institution, owner.crn);
  const account = customer.accounts.find(({ position }) => position === owner.position);
  return account === undefined ? undefined : { customer, account };
}
