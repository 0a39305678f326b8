import { Notice } from '#ui/notice.tsx';
import { describeMissingAccounts, type Missing } from './missing-account-words.ts';

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
