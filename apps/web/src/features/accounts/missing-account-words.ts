import type { UserRecord } from '@sparechange/contract';

export type Missing = NonNullable<UserRecord['missingAccounts']>;

const listNames = (accounts: Missing): string =>
  new Intl.ListFormat('en-AU').format(accounts.map(({ name, accountNumber }) => `${name} ${accountNumber}`));

/** Returns the text about missing accounts, without the next steps. */
export function describeMissingAccounts(accounts: Missing): string {
  const tracked = accounts.filter(({ isTracked }) => isTracked);
  const debited = accounts.filter(({ isDebited }) => isDebited);
  return [
    `Your bank no longer shows ${listNames(accounts)}.`,
    ...(tracked.length > 0 ? ['Purchases on it are not rounded up.'] : []),
    ...(debited.length > 0 ? ['Nothing is debited until it is back or you choose another account.'] : []),
  ].join(' ');
}
