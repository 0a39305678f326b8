import type { NextDebit } from '@sparechange/contract';
import { dollars, isoDate, statementText } from '@sparechange/domain';
import { type UserRecordDeps, userRecord } from '#features/supporters/profiles/user-record.ts';
import { findDebitTerms, findDeferred, listReferences, listWaitingPurchases } from './next-debit-repository.ts';

export interface NextDebitDeps extends UserRecordDeps {
  /** Name on statements for our debits. */
  statementName: string;
}

/** Returns the next debit with the account and purchases behind it, or null while the dashboard shows none. */
export async function nextDebitOf(deps: NextDebitDeps, supporterId: string): Promise<NextDebit | null> {
  const { db, statementName } = deps;
  const { nextDebit } = await userRecord(deps, supporterId);
  const terms = await findDebitTerms(db, supporterId);
  if (!nextDebit || !terms) return null;
  const { date, amountCents, skips } = nextDebit;
  const references = await listReferences(db, supporterId, isoDate(date), amountCents);
  const purchases = await listWaitingPurchases(db, supporterId);
  return {
    run: skips ?? date,
    isSkipped: skips !== undefined,
    date,
    amountCents,
    account: { name: terms.accountName, accountNumber: terms.maskedNumber },
    statementTexts: references.map((reference) => statementText(statementName, reference)),
    purchases: purchases.map(({ day, description, purchaseCents, countedCents }) => ({
      date: day,
      description,
      amount: dollars(purchaseCents),
      roundUpCents: countedCents,
    })),
    waited: await findDeferred(db, supporterId),
    balanceFloorCents: terms.floor,
    debitNotices: terms.debitNotices,
  };
}
