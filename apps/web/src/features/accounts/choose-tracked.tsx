import { type BankAccount, setRoundUpAccounts } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import { AccountEstimate, WeekOfAccounts } from './account-estimates.tsx';
import { AccountList } from './account-list.tsx';
import { accountsQuery } from './accounts-query.ts';
import { trackedAccounts, trackedIds, withAccount } from './tracked-accounts.ts';

interface ChooseTrackedProps {
  accounts: BankAccount[];
  onSaved: (accounts: BankAccount[]) => void;
}

/** Chooses the tracked accounts for the first time. */
export function ChooseTracked({ accounts, onSaved }: ChooseTrackedProps) {
  const { cdrid } = useCaller();
  const client = useQueryClient();
  const [tracked, setTracked] = useState(() => trackedIds(accounts));
  const [isNoneChosen, setNoneChosen] = useState(false);
  const save = useMutation({
    mutationFn: () => call(setRoundUpAccounts, { RoundUpAccounts: trackedAccounts(accounts, tracked) }),
    onSuccess: () => {
      const saved = accounts.map((account) => ({ ...account, activeRoundUpsEnabled: tracked.has(account._id) }));
      client.setQueryData(accountsQuery(cdrid).queryKey, saved);
      onSaved(saved);
    },
    onError: (error) => {
      console.error(error);
      void client.invalidateQueries(accountsQuery(cdrid)); // the bank may show others by now
    },
  });

  function next() {
    setNoneChosen(tracked.size === 0);
    if (tracked.size > 0 && !save.isPending) save.mutate();
  }

  return (
    <>
      <AccountList
        about={(account) => <AccountEstimate account={account} />}
        label="Round-Up Accounts"
        accounts={accounts}
        isTicked={(account) => tracked.has(account._id)}
        onChange={(account, isTicked) => setTracked(withAccount(tracked, account._id, isTicked))}
      />
      <WeekOfAccounts chosen={tracked} />
      {isNoneChosen && tracked.size === 0 ? (
        <FormProblem words="Select at least one account" isShown room={messages.somethingWrong} />
      ) : (
        <FormProblem words={messages.somethingWrong} isShown={save.isError} />
      )}
      <StepActions>
        <Button isBusy={save.isPending} onClick={next}>
          Next
        </Button>
      </StepActions>
    </>
  );
}
