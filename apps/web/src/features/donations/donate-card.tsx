import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { OneOffDonationModal } from './one-off-donation-modal.tsx';

export function DonateCard() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="One-Time Donation">
      <Button onClick={() => setOpen(true)}>Donate Now</Button>
      {isOpen && <OneOffDonationModal onClose={() => setOpen(false)} />}
    </Card>
  );
}
