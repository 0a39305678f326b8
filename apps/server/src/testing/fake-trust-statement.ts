import { sydneyDay } from '@sparechange/domain';
import type { TakenPayment } from './fake-direct-debit.ts';

/** Returns a fake provider's trust account statement as CSV. */
export function fakeTrustStatement(taken: readonly TakenPayment[]): string {
  const days = new Map<string, number>();
  const rows: [string, number, string][] = [];
  for (const { kind, amount, reference, state, takenAt, changedAt, clearedAt } of taken) {
    if (kind === 'payout') rows.push([sydneyDay(takenAt), -amount, `TRANSFER OUT ${reference}`]);
    if (kind === 'payout' && state === 'returned') rows.push([sydneyDay(changedAt), amount, `RETURNED ${reference}`]);
    if (!clearedAt) continue;
    const day = sydneyDay(clearedAt);
    days.set(day, (days.get(day) ?? 0) + amount);
    if (state === 'returned') rows.push([sydneyDay(changedAt), -amount, `DISHONOUR ${reference}`]);
  }
  for (const [day, cents] of days) rows.push([day, cents, `SETTLEMENT ${day}`]);
  const lines = rows.map(([day, cents, text], at) => `${day},${(cents / 100).toFixed(2)},"${text}, for us",T${at}`);
  return ['date,amount,description,transaction_id', ...lines, ''].join('\n');
}
