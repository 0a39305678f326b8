import { seeded } from '#world/seeded.ts';
import { getBank } from './banks.ts';
import { employers, firstNames, lastNames } from './merchants.ts';

export type AccountKind = 'transaction' | 'savings' | 'credit-card' | 'mortgage';

export interface BankAccount {
  /** 0 is always the everyday account. */
  position: number;
  kind: AccountKind;
  name: string;
  /** Empty for a card, which has neither. */
  bsb: string;
  number: string;
  ownership: 'ONE_PARTY' | 'TWO_PARTY';
  creditLimitCents?: number;
}

/** A person at a bank. The same bank and CRN always name the same person with the same accounts. */
export interface Customer {
  institution: string;
  crn: string;
  firstName: string;
  lastName: string;
  accounts: BankAccount[];
  employer: string;
  salaryCents: number;
  rentCents: number;
  /** CRN 90000005: an everyday account without money or movements. */
  isEmpty: boolean;
}

export const crns = {
  fails: '90000001',
  slow: '90000002',
  withoutAccounts: '90000003',
  unavailable: '90000004',
  empty: '90000005',
  odd: '90000006',
  foreignName: '90000007',
} as const;

export const isCrn = (text: string): boolean => /^\d{8}$/.test(text);

/**
 * BSB and number hold the whole CRN between them, shuffled, so two customers never share one: two digits close the BSB
 * and six end the number, which is 6 to 9 digits long.
 */
function numbersOf(institution: string, crn: string, position: number): { bsb: string; number: string } {
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
  const everyday: BankAccount = { ...numbered(0), kind: 'transaction', name: `${bank} Everyday`, ownership };
  if (crn === crns.empty) return [everyday];
  const saver: BankAccount = { ...numbered(1), kind: 'savings', name: `${bank} Saver`, ownership: 'ONE_PARTY' };
  const accounts = [everyday, saver];
  if (random.chance(0.45)) {
    const number = `xxxxxxxxxxxx${random.whole(1000, 9999)}`;
    const creditLimitCents = random.whole(4, 20) * 100_000;
    const name = `${bank} Low Rate Card`;
    accounts.push({
      position: 2,
      kind: 'credit-card',
      name,
      bsb: '',
      number,
      ownership: 'ONE_PARTY',
      creditLimitCents,
    });
  }
  if (random.chance(0.3)) accounts.push({ ...numbered(3), kind: 'mortgage', name: `${bank} Home Loan`, ownership });
  return accounts;
}

const known = new Map<string, Customer>();

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
    employer: random.pick(employers),
    salaryCents: random.whole(2_100_00, 3_900_00),
    rentCents: random.whole(320, 640) * 100,
    accounts: accountsOf(institution, crn),
    isEmpty: crn === crns.empty,
  };
  if (known.size > 20_000) known.clear();
  known.set(key, customer);
  return customer;
}

export const accountHolder = ({ firstName, lastName }: Customer): string => `${firstName} ${lastName}`.toUpperCase();
