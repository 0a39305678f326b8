import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { LinkedSavings } from './linked-savings.tsx';
import { SavingsAccountModal } from './savings-account-modal.tsx';
import { savingsQuery } from './savings-query.ts';

export function LinkedSavingsCard() {
  const { cdrid } = useCaller();
  const linked = useQuery(savingsQuery(cdrid));
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Linked Savings Account">
      <LinkedSavings linked={linked} none="no account linked" />
      <Button look="secondary" onClick={() => setOpen(true)}>
        Change Account
      </Button>
      {isOpen && <SavingsAccountModal onClose={() => setOpen(false)} />}
    </Card>
  );
}
