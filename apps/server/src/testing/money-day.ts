import { isoDate } from '@sparechange/domain';
import type { Pool } from '#db/connect.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { type Clock, today } from '#ports/clock.ts';
import { fakeBankLink } from './fake-bank-link.ts';
import type { FakeDirectDebit } from './fake-direct-debit.ts';
import { aPurchase, aTenant, cleared, returned, someTenants, type TestSupporter, testEncryption } from './makers.ts';

export interface MoneyDay {
  db: Pool;
  clock: Clock;
  directDebit: FakeDirectDebit;
}

/** Clears a debit, at most 99 cents; returns its reference. */
export async function aClearedDebit(deps: MoneyDay, supporter: TestSupporter, amount: number): Promise<string> {
  const { db, clock, directDebit } = deps;
  const day = today(clock);
  await recordRoundUps(db.of(supporter.supporterId), clock.now(), [
    aPurchase(supporter, { day, cents: 1000 - amount }),
  ]);
  const tenants = someTenants(aTenant());
  await planDebits(db, clock, tenants, isoDate(day));
  await submitDebits({ ...deps, tenants, bankLink: fakeBankLink(), statementName: 'SPARECHANGE' });
  const providerRef = directDebit.taken.findLast(({ kind }) => kind === 'debit')?.providerRef ?? ''; // a payout may come between
  await applyOutcome(deps, cleared(providerRef));
  return providerRef;
}

/** Reverses a debit with code 6, which keeps accounts debitable. */
export const reverse = (deps: MoneyDay, providerRef: string) => applyOutcome(deps, returned(providerRef, 6));

export async function balancesOf(db: Pool, { supporterId }: TestSupporter): Promise<Record<string, number>> {
  const rows = await db.of(supporterId)<{ account: string; cents: number }[]>`
    select account, cents from ledger_balances where supporter_id = ${supporterId} and cents <> 0 order by account`;
  return Object.fromEntries(rows.map((row) => [row.account, row.cents]));
}

/** Gives a club the account it is paid to. */
export async function setBankDetails(db: Pool, clubId: string, accountNumber: string): Promise<void> {
  await db`
    update clubs set account_name = 'Club Account', bsb_encrypted = ${testEncryption.encrypt('062000', `club ${clubId} bsb`)},
      account_number_encrypted = ${testEncryption.encrypt(accountNumber, `club ${clubId} account number`)}
    where id = ${clubId}`;
}
