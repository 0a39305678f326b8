import type { UserRecord } from '@sparechange/contract';
import { Notice } from '#ui/notice.tsx';

type Missing = NonNullable<UserRecord['missingAccounts']>;

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

/** Names the chosen accounts that the bank no longer shows, and the next steps. */
export function MissingAccounts({ accounts }: { accounts: Missing }) {
  const stepsIfClosed = [
    ...(accounts.some(({ isDebited }) => isDebited) ? ['choose another funding account'] : []),
    ...(accounts.some(({ isTracked }) => isTracked) ? ['press Submit below to continue without it'] : []),
  ];
  return (
    <Notice kind="information">
      {describeMissingAccounts(accounts)} If it is still open, share it again with Manage Bank Connection. If it is
      closed, {stepsIfClosed.join(', and ')}. Nothing was switched off: once your bank shows it again, everything
      continues as before.
    </Notice>
  );
}
