import { lazy, Suspense, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { usePreload } from '#ui/when-idle.ts';

/** The modal brings the form library with it, so it comes after the dashboard, and before anybody has pressed. */
const loadModal = () => import('./one-off-donation-modal.tsx');
const OneOffDonationModal = lazy(loadModal);

export function DonateCard() {
  const [isOpen, setOpen] = useState(false);

  usePreload(loadModal);

  return (
    <Card title="One-Time Donation">
      <Button onClick={() => setOpen(true)}>Donate Now</Button>
      {isOpen && (
        <Suspense>
          <OneOffDonationModal onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  );
}
