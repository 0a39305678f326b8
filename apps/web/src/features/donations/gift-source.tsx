import type { BankAccount } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { useBankPrompt } from '#features/consent/bank-prompt.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { askForBank } from '#features/onboarding/navigation.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Skeleton } from '#ui/card.tsx';
import { RetryButton } from '#ui/retry.tsx';

type Missing = 'no bank connection' | 'finish setting up' | 'no account';

/** The account that a gift is taken from, or why there is none. */
export type GiftSource =
  | { state: 'known'; account: BankAccount }
  | { state: 'missing'; because: Missing }
  | { state: 'loading' }
  | { state: 'failed'; retry: () => Promise<unknown> };

export function useGiftSource(): GiftSource {
  const { userId, cdrid } = useCaller();
  const { data: user } = useQuery(userQuery(userId));
  const prompt = useBankPrompt(user);
  const accounts = useQuery({ ...accountsQuery(cdrid), enabled: user !== undefined && prompt === undefined });
  if (prompt) return { state: 'missing', because: prompt };
  if (!accounts.data && accounts.isError) return { state: 'failed', retry: accounts.refetch };
  if (!user || !accounts.data) return { state: 'loading' };
  const account = accounts.data.find(({ activeDebitEnabled }) => activeDebitEnabled);
  return account && !user.whyNoAccount ? { state: 'known', account } : { state: 'missing', because: 'no account' };
}

const ways = {
  'no bank connection': {
    words: 'No bank is connected yet.',
    action: 'Connect',
    to: '/launch-consent',
    state: askForBank,
  },
  'finish setting up': {
    words: 'You have not chosen your accounts yet.',
    action: 'Finish',
    to: '/launch-consent',
    state: null,
  },
  'no account': {
    words: 'No account to give from is chosen.',
    action: 'Choose one',
    to: '/linked-accounts',
    state: null,
  },
} as const;

/** Names the account, or says why there is none. */
export function SourceWords({ source }: { source: GiftSource }) {
  if (source.state === 'known') return `${source.account.name} ${source.account.accountNumber}`;
  if (source.state === 'loading') return <Skeleton width="18ch" height="0.75em" />;
  if (source.state === 'failed')
    return (
      <span role="alert">
        Your account could not be loaded. <RetryButton onRetry={source.retry} />
      </span>
    );
  return ways[source.because].words;
}

/** Leads to an account to give from, where there is none. */
export function SourceLink({ source }: { source: GiftSource }) {
  if (source.state !== 'missing') return null;
  const { action, to, state } = ways[source.because];
  return (
    <ButtonLink to={to} state={state}>
      {action}
    </ButtonLink>
  );
}
