import {
  listCorrections,
  listReceivables,
  retrieveClubBalance,
  retrievePayment,
  retrievePendingPayouts,
  retrieveTrustBalance,
  writeOffClub,
} from '@sparechange/contract/console';
import { type Cents, dollars, formatCents, parseTypedAmount } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { WaitsForApproval } from '../../ui/waits-for-approval.tsx';
import { secondPersonHint } from '../parts/second-person-hint.ts';

interface Debt {
  clubId: string;
  club: string;
  cents: Cents;
}

/** Writes off a club's debt. */
export function WriteOff({ debt: { clubId, club, cents }, onClose }: { debt: Debt; onClose: () => void }) {
  const [id] = useState(() => crypto.randomUUID()); // one write-off, however often it is sent
  return (
    <ActDialog
      title={`Write off what ${club} owes`}
      action="Write off"
      isDangerous
      act={(form) =>
        call(writeOffClub, {
          id,
          clubId,
          cents: parseTypedAmount(String(form.get('cents'))) ?? 0,
          reason: String(form.get('reason')),
        })
      }
      changes={[
        retrieveTrustBalance,
        listReceivables,
        retrieveClubBalance,
        retrievePendingPayouts,
        retrievePayment,
        listCorrections,
      ]}
      after={({ asked }) => asked && <WaitsForApproval asked={asked} />}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            {club} owes {formatCents(cents)}, which its next donations would pay. What you write off is the
            organisation’s loss, and the club is paid in full again.
          </p>
          <TextField
            label="Amount in dollars"
            name="cents"
            inputMode="decimal"
            defaultValue={dollars(cents)}
            required
            hint={secondPersonHint('club and day')}
            error={problem('cents', parseTypedAmount)}
          />
          <TextField
            label="Reason"
            name="reason"
            maxLength={200}
            required
            hint="The club’s treasurer reads it in the PDF and CSV of the payout."
            error={problem('reason')}
          />
        </>
      )}
    </ActDialog>
  );
}
