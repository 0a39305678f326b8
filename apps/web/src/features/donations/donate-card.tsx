import type { UserRecord } from '@sparechange/contract';
import { useState } from 'react';
import { debitName } from '#features/roundups/returned-debit.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Help } from '#ui/notice.tsx';
import { OpenedPart } from '#ui/opened-part.tsx';
import { usePreload } from '#ui/when-idle.ts';
import { UndoableDonation } from './undoable-donation.tsx';

/** The modal brings the form library, so it loads after the dashboard, before the button is pressed. */
const loadModal = () => import('./one-off-donation-modal.tsx');

export function DonateCard({ user }: { user: UserRecord | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  usePreload(loadModal);

  return (
    <Card title="One-Time Donation">
      <Button onClick={() => setOpen(true)}>Donate Now</Button>
      {user?.undoableDonations?.map((gift) => (
        <UndoableDonation key={gift.requestId} gift={gift} />
      ))}
      {user?.returnedDonation && (
        <Help>Your bank returned {debitName(user.returnedDonation, 'donation')}. We do not ask for it again.</Help>
      )}
      {user?.takenBackDonation && (
        <Help>
          Your bank took back {debitName(user.takenBackDonation, 'donation')}, which had already reached us. We do not
          ask for it again.
        </Help>
      )}
      {isOpen && <OpenedPart load={loadModal} of={{ onClose: close }} onFailed={close} />}
    </Card>
  );
}
