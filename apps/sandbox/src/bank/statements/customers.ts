import { type Db, table } from '#world/database.ts';
import type { Cents } from '#world/money.ts';
import { seeded } from '#world/seeded.ts';
import { getBank } from './banks.ts';

export interface BankAccount {
  /** 0 is always the everyday account, 1 the saver, 2 the card. */
  position: number;
  kind: 'transaction' | 'savings' | 'credit-card';
  name: string;
  /** Empty for a card, which has neither. */
  bsb: string;
  number: string;
  ownership: 'ONE_PARTY' | 'TWO_PARTY';
  creditLimitCents?: Cents;
}

/** A person at a bank. The same bank and CRN always name the same person with the same accounts. */
export interface Customer {
  institution: string;
  crn: string;
  firstName: string;
  lastName: string;
  accounts: BankAccount[];
  salaryCents: Cents;
  rentCents: Cents;
}

export const crns = {
  fails: '90000001',
  slow: '90000002',
  withoutAccounts: '90000003',
  unavailable: '90000004',
  /** An everyday account without money or movements. */
  empty: '90000005',
  edgeCases: '90000006',
  otherName: '90000007',
} as const;

export const isCrn = (text: string): boolean => /^\d{8}$/.test(text);

/** Returns whether a customer has no money that could move. */
export const isIdle = ({ crn, accounts }: Customer): boolean => crn === crns.empty || accounts.length === 0;

/**
 * BSB and number hold the whole CRN between them, shuffled, so two customers never share one: two digits close the BSB
 * and six end the number, which is 6 to 9 digits long.
 */
function numbersOf(institution: string, crn: string, position: number): Pick<BankAccount, 'bsb' | 'number'> {
  const shuffled = String((Number(crn) * 7919 + position * 20_177_171) % 100_000_000).padStart(8, '0');
  const random = seeded(`number ${institution} ${crn} ${position}`);
  const extra = Array.from({ length: random.whole(0, 3) }, () => random.whole(0, 9)).join('');
  const bsb = `${getBank(institution).bsbPrefix}${position + 1}${shuffled.slice(0, 2)}`;
  return { bsb, number: `${extra}${shuffled.slice(2)}` };
}

function accountsOf(institution: string, crn: string): BankAccount[] {
  if (crn === crns.withoutAccounts) return [];
  const { name: bank } = getBank(institution);
  const random = seeded(`accounts ${institution} ${crn}`);
  const ownership = random.chance(0.2) ? 'TWO_PARTY' : 'ONE_PARTY';
  const numbered = (position: number) => ({ position, ...numbersOf(institution, crn, position) });
  const accounts: BankAccount[] = [{ ...numbered(0), kind: 'transaction', name: `${bank} Everyday`, ownership }];
  if (crn === crns.empty) return accounts;
  accounts.push({ ...numbered(1), kind: 'savings', name: `${bank} Saver`, ownership: 'ONE_PARTY' });
  if (!random.chance(0.45)) return accounts;
  const number = `xxxxxxxxxxxx${random.whole(1000, 9999)}`;
  const card = { position: 2, kind: 'credit-card', name: `${bank} Low Rate Card`, bsb: '', number } as const;
  const creditLimitCents = random.whole(4, 20) * 100_000;
  return [...accounts, { ...card, ownership: 'ONE_PARTY', creditLimitCents }];
}

const firstNames = ['Amelia', 'Banjo', 'Clara', 'Dev', 'Isla', 'Mei', 'Priya', 'Sione'] as const;
const lastNames = ['Abbott', 'Dinh', 'Farrugia', 'Kaur', 'Nguyen', "O'Dea", 'Papas', 'Whitlock'] as const;

const known = new Map<string, Customer>();
const maxKnown = 20_000;

export function customerOf(institution: string, crn: string): Customer {
  const key = `${institution} ${crn}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const random = seeded(`person ${crn}`);
  const customer: Customer = {
    institution,
    crn,
    firstName: random.pick(firstNames),
    lastName: random.pick(lastNames),
    salaryCents: random.whole(2_100_00, 3_900_00),
    rentCents: random.whole(320, 640) * 100,
    accounts: accountsOf(institution, crn),
  };
  if (known.size > maxKnown) known.clear();
  known.set(key, customer);
  return customer;
}

export const accountHolder = ({ firstName, lastName }: Customer): string => `${firstName} ${lastName}`.toUpperCase();

interface OwnedNumber {
  bsb: string;
  number: string;
  institution: string;
  crn: string;
  position: number;
}

const ownedNumbers = table<OwnedNumber>('bank_accounts');

/** Registers a customer's account numbers for debits to find statements. */
export function registerAccounts(db: Db, { institution, crn, accounts }: Customer): void {
  for (const { bsb, number, position } of accounts) {
    if (bsb !== '') ownedNumbers.replace(db, { bsb, number, institution, crn, position });
  }
}

/** Returns the account behind a BSB and number, if it is at one of the sandbox's banks. */
export function findAccountByNumber(
  db: Db,
  bsb: string,
  number: string,
): { customer: Customer; position: number } | undefined {
  const owned = ownedNumbers.find(db, { bsb: bsb.replace('-', ''), number });
  return owned && { customer: customerOf(owned.institution, owned.crn), position: owned.position };
}
