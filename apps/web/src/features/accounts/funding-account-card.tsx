import { type BankAccount, updateFundingAccount } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { getTenantA } from '#tenant/current.ts';
import { Card } from '#ui/card.tsx';
import { Small } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import styles from './account-list.module.css';
import { AccountList } from './account-list.tsx';
import { accountsQuery } from './accounts-query.ts';
import { DirectDebitTerms } from './direct-debit-terms.tsx';
import { FundingProblem } from './funding-problem.tsx';

/** Ticking an account saves it immediately as the only funding account. The last one cannot be unticked. */
export function FundingAccountCard({ accounts }: { accounts: BankAccount[] }) {
  const { cdrid, userId } = useCaller();
  const client = useQueryClient();
  const save = useMutation({
    scope: { id: 'funding account' }, // one after another: the account that was ticked last is debited
    mutationFn: (chosenId: string) =>
      call(updateFundingAccount, {
        cdrid,
        tenantA: getTenantA(),
        accounts: accounts.map(({ _id, id }) => ({
          account_id: _id,
          accountId: id,
          activeDebitEnabled: _id === chosenId,
        })),
      }),
    onSuccess: (_, chosenId) => {
      client.setQueryData(accountsQuery(cdrid).queryKey, (known) =>
        known?.map((account) => ({ ...account, activeDebitEnabled: account._id === chosenId })),
      );
      void client.invalidateQueries(userQuery(userId)); // whether anything can be debited
    },
    onSettled: () => void client.invalidateQueries(accountsQuery(cdrid)),
  });
  const isFunding = (account: BankAccount) =>
    save.isPending ? account._id === save.variables : account.activeDebitEnabled;

  return (
    <Card title="Funding Account (Debits)">
      <DirectDebitTerms />
      <AccountList
        label="Funding Account (Debits)"
        accounts={accounts}
        isTicked={isFunding}
        isDisabled={(account) => !account.canFund}
        disabledReason="cannot be debited"
        onChange={(account, isTicked) => isTicked && save.mutate(account._id)}
      />
      <div className={styles.outcome}>
        <FundingProblem words={messages.fundingChangeFailed} error={save.error}>
          <Small>We'll debit the account you tick from now on.</Small>
        </FundingProblem>
      </div>
    </Card>
  );
}
