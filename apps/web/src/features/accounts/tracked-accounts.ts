import type { BankAccount } from '@sparechange/contract';

/** Lists accounts as setRoundUpAccounts and updateRoundUpAccounts take them. */
export const trackedAccounts = (accounts: BankAccount[], tracked: ReadonlySet<string>) =>
  accounts.map(({ _id }) => ({ accountId: _id, activeRoundUpsEnabled: tracked.has(_id) }));

export const trackedIds = (accounts: BankAccount[]): ReadonlySet<string> =>
  new Set(accounts.filter((account) => account.activeRoundUpsEnabled).map((account) => account._id));

/** The set with one account in or out. */
export function withAccount(tracked: ReadonlySet<string>, id: string, isTracked: boolean): ReadonlySet<string> {
  const changed = new Set(tracked);
  if (isTracked) changed.add(id);
  else changed.delete(id);
  return changed;
}
