import { type BankAccount, registerFunding } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { getTenantA } from '#tenant/current.ts';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import { WeekOfAccounts } from './account-estimates.tsx';
import { AccountList } from './account-list.tsx';
import { accountsQuery } from './accounts-query.ts';
import { FundingProblem } from './funding-problem.tsx';
import { trackedIds } from './tracked-accounts.ts';

interface ChooseFundingProps {
  accounts: BankAccount[];
  onSaved: () => void;
  /** Receives the current accounts where the page's id of the chosen one is out of date. */
  onChanged: (accounts: BankAccount[]) => void;
}

/** Chooses the debited account for the first time. */
export function ChooseFunding({ accounts, onSaved, onChanged }: ChooseFundingProps) {
  const { cdrid } = useCaller();
  const client = useQueryClient();
  const [chosenId, setChosenId] = useState(() => accounts.find((account) => account.activeDebitEnabled)?._id);
  const chosen = accounts.find(({ _id }) => _id === chosenId);
  const [isNoneChosen, setNoneChosen] = useState(false);
  const save = useMutation({
    mutationFn: (account: BankAccount) =>
      call(registerFunding, {
        accountId: account.id,
        account_id: account._id,
        tenantA: getTenantA(),
        activeDebitEnabled: true,
        cdrid,
      }),
    onSuccess: async () => {
      await client.invalidateQueries(accountsQuery(cdrid));
      onSaved();
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'not-allowed')) return;
      const fresh = client.fetchQuery({ ...accountsQuery(cdrid), staleTime: 0 });
      fresh.then(onChanged, (failure: unknown) => console.error(failure));
    },
  });

  function next() {
    setNoneChosen(chosen === undefined);
    if (chosen && !save.isPending) save.mutate(chosen);
  }

  return (
    <>
      <WeekOfAccounts chosen={trackedIds(accounts)} />
      <AccountList
        label="Funding Account"
        accounts={accounts}
        isTicked={(account) => account._id === chosenId}
        onChange={(account, isTicked) => setChosenId(isTicked ? account._id : undefined)}
        isDisabled={(account) => !account.canFund}
        disabledReason="cannot be debited"
      />
      {isNoneChosen && !chosen ? (
        <FormProblem words="Select one account" isShown room={messages.fundingFailed} />
      ) : (
        <FundingProblem words={messages.fundingFailed} error={save.error} />
      )}
      <StepActions>
        <Button isBusy={save.isPending} onClick={next}>
          CONTINUE
        </Button>
      </StepActions>
    </>
  );
}
