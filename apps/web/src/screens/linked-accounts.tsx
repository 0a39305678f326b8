import { type BankAccount, manageConsent } from '@sparechange/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { accountsQuery } from '#features/accounts/accounts-query.ts';
import { FundingAccountCard } from '#features/accounts/funding-account-card.tsx';
import { MissingAccounts } from '#features/accounts/missing-accounts.tsx';
import { TrackedAccountsCard } from '#features/accounts/tracked-accounts-card.tsx';
import { actionOf } from '#features/consent/consent-advice.ts';
import { ConsentHealthCard } from '#features/consent/consent-health-card.tsx';
import { useConsentLink } from '#features/consent/use-consent-link.ts';
import { RequireSession, useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { savingsQuery } from '#features/savings/linked-savings.tsx';
import { LinkedSavingsCard } from '#features/savings/linked-savings-card.tsx';
import { MemberPage } from '#features/tenants/member-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { hasSavings } from '#tenant/pages.ts';
import { Button } from '#ui/button.tsx';
import { CardSkeleton, Stack } from '#ui/card.tsx';
import { FormProblem, Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

/** Linked Accounts — /linked-accounts. */
export default function LinkedAccounts() {
  return (
    <MemberPage width="narrow">
      <Stack>
        <ScreenTitle>Linked Accounts</ScreenTitle>
        <RequireSession waiting={<Skeletons />}>
          <Cards />
        </RequireSession>
      </Stack>
    </MemberPage>
  );
}

/** All cards appear together, as the accounts' height is not known before. A due renewal comes first. */
function Cards() {
  const { cdrid, userId } = useCaller();
  const accounts = useQuery(accountsQuery(cdrid));
  const user = useQuery(userQuery(userId));
  const savings = useQuery({ ...savingsQuery(cdrid), enabled: hasSavings() });
  if (accounts.isPending || user.isPending || (savings.isFetching && !savings.isFetched)) return <Skeletons />;
  const health = user.data?.consentHealth;
  const card = health && <ConsentHealthCard health={health} />;
  const isToDo = health !== undefined && actionOf(health) !== undefined;
  const isEmpty = accounts.data?.length === 0;
  return (
    <>
      {isToDo && card}
      {user.data?.missingAccounts && <MissingAccounts accounts={user.data.missingAccounts} />}
      <BankAccounts accounts={accounts} />
      {isEmpty && <ManageBankConnection look={isToDo ? 'secondary' : 'primary'} />}
      {hasSavings() && <LinkedSavingsCard />}
      {!isToDo && card}
      {!isEmpty && <ManageBankConnection />}
      <TextLink to="/terms#your-data">Your data: pause, stop, download or leave</TextLink>
    </>
  );
}

/** Stand-ins for the tracked accounts and the funding account. */
const Skeletons = () => (
  <>
    <CardSkeleton bars={[24, 74, 74, 48]} />
    <CardSkeleton bars={[72, 74, 74]} />
  </>
);

function BankAccounts({ accounts }: { accounts: UseQueryResult<BankAccount[]> }) {
  if (!accounts.data) {
    return <TryAgain onRetry={accounts.refetch}>{messages.linkedAccountsFailed}</TryAgain>;
  }
  if (accounts.data.length === 0) {
    return <Notice kind="information">No bank accounts are linked. Manage your bank connection to link some.</Notice>;
  }
  return (
    <>
      <TrackedAccountsCard accounts={accounts.data} />
      <FundingAccountCard accounts={accounts.data} />
    </>
  );
}

function ManageBankConnection({ look = 'secondary' }: { look?: 'primary' | 'secondary' }) {
  const { cdrid } = useCaller();
  const link = useConsentLink(() => call(manageConsent, { cdrid }));
  return (
    <>
      <Button look={look} isBusy={link.isBusy} onClick={link.go}>
        Manage Bank Connection
      </Button>
      <FormProblem words={messages.somethingWrong} isShown={link.isError} />
    </>
  );
}
