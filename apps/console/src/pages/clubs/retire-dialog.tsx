import { type ConsoleClub, reinstateClub, retireClub } from '@sparechange/contract/console';
import { isoDate, longDay } from '@sparechange/domain';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { Failure } from '../../ui/failure.tsx';
import { refreshClubs } from './club-dialog.tsx';

/** Retires a club from a day on, or reinstates it. */
export function RetireDialog({ club, onClose }: { club: ConsoleClub; onClose: () => void }) {
  const isRetired = club.retiredFrom !== null;
  const [from, setFrom] = useState(isRetired ? '' : club.today);
  const retire = useMutation({
    mutationFn: () =>
      isRetired ? call(reinstateClub, { clubId: club.id }) : call(retireClub, { clubId: club.id, from }),
    onSuccess: async () => {
      await refreshClubs();
      onClose();
    },
  });
  return (
    <Modal title={isRetired ? `Reinstate ${club.name}` : `Retire ${club.name}`} onClose={onClose}>
      {isRetired ? (
        <p>Supporters can choose it again at once, and gifts of those who still have it go on.</p>
      ) : (
        <>
          <TextField
            label="From"
            type="date"
            value={from}
            min={club.today}
            error={problemOf(retire.error, 'from')}
            onChange={(event) => setFrom(event.target.value)}
          />
          <p>
            {from
              ? `From ${longDay(isoDate(from))} nobody can choose it and its supporters are debited no more. What was given before is paid out.`
              : 'Please choose a day.'}
          </p>
        </>
      )}
      <Failure of={retire.error} />
      <ModalActions
        onCancel={onClose}
        action={isRetired ? 'Reinstate' : 'Retire'}
        onAction={() => (isRetired || from) && retire.mutate()}
        isBusy={retire.isPending}
      />
    </Modal>
  );
}
