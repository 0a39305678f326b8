import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { LinkedSavings } from './linked-savings.tsx';
import { SavingsAccountModal } from './savings-account-modal.tsx';
import { savingsQuery } from './savings-query.ts';

const problemWords = {
  account_refused:
    'The bank did not take our deposit into this account, so nothing more goes there. What is set aside for you waits until you link another account.',
  number_too_long:
    'Banks take payments to account numbers of up to 9 digits, so no deposit can reach this one. Please link another account.',
};

export function LinkedSavingsCard() {
  const { cdrid } = useCaller();
  const linked = useQuery(savingsQuery(cdrid));
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Linked Savings Account">
      <LinkedSavings linked={linked} none="no account linked" />
      {linked.data?.problem && <Notice>{problemWords[linked.data.problem]}</Notice>}
      <Button look="secondary" onClick={() => setOpen(true)}>
        Change Account
      </Button>
      {isOpen && <SavingsAccountModal onClose={() => setOpen(false)} />}
    </Card>
  );
}
