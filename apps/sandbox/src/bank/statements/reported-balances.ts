import type { Db } from '#world/database.ts';
import type { Customer } from './customers.ts';

/** CRN 90000005's bank is behind the truth: it still tells of what was there before the account was emptied. */
const toldOfEmptyCents = 500_00;

/** Returns the balance a bank claims, if not its statement's. */
export function reportedBalance(db: Db, { institution, crn, isEmpty }: Customer, position: number): number | undefined {
  const told = db.find<{ cents: number }>(
    'select cents from told_balances where institution = ? and crn = ? and position = ?',
    institution,
    crn,
    position,
  );
  return told?.cents ?? (isEmpty ? toldOfEmptyCents : undefined);
}

/** Sets the balance a bank claims; undefined means the truth. */
export function reportBalance(
  db: Db,
  { institution, crn }: Customer,
  position: number,
  cents: number | undefined,
): void {
  db.run('delete from told_balances where institution = ? and crn = ? and position = ?', institution, crn, position);
  if (cents === undefined) return;
  db.run(
    'insert into told_balances (institution, crn, position, cents) values (?, ?, ?, ?)',
    institution,
    crn,
    position,
    cents,
  );
}
