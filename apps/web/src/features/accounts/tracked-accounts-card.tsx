import { type BankAccount, updateRoundUpAccounts } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormNote, FormProblem } from '#ui/notice.tsx';
import { messages } from '../../messages.ts';
import { AccountList } from './account-list.tsx';
import { accountsQuery } from './accounts-query.ts';
import { trackedAccounts, trackedIds, withAccount } from './tracked-accounts.ts';

export function TrackedAccountsCard({ accounts }: { accounts: BankAccount[] }) {
  const { cdrid, userId } = useCaller();
  const client = useQueryClient();
  const [changed, setChanged] = useState<ReadonlySet<string>>();
  const tracked = changed ?? trackedIds(accounts);
  const save = useMutation({
    mutationFn: () => call(updateRoundUpAccounts, { roundUpAccounts: trackedAccounts(accounts, tracked) }),
    onSuccess: ({ results }) => {
      const held = new Map(results.map((result) => [result.accountId, result.activeRoundUpsEnabled]));
      client.setQueryData(accountsQuery(cdrid).queryKey, (known) =>
        known?.map((account) => ({
          ...account,
          activeRoundUpsEnabled: held.get(account._id) ?? account.activeRoundUpsEnabled,
        })),
      );
      void client.invalidateQueries(userQuery(userId)); // the supporter may have given up a missing account
    },
    onError: (error) => console.error(error),
    onSettled: () => {
      setChanged(undefined); // saved or not, the boxes show what the server holds
      void client.invalidateQueries(accountsQuery(cdrid));
    },
  });

  return (
    <Card title="Round-Up Accounts">
      <p>Transactions will be tracked from the accounts selected below.</p>
      <AccountList
        label="Round-Up Accounts"
        accounts={accounts}
        isTicked={(account) => tracked.has(account._id)}
        onChange={(account, isTicked) => {
          if (save.isPending) return;
          save.reset();
          setChanged(withAccount(tracked, account._id, isTicked));
        }}
      />
      <FormProblem words={messages.somethingWrong} isShown={save.isError}>
        {save.isSuccess && <FormNote>Saved</FormNote>}
      </FormProblem>
      <Button isBusy={save.isPending} onClick={() => save.mutate()}>
        Submit
      </Button>
    </Card>
  );
}
