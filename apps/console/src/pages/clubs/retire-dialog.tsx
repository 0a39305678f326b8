import { type ConsoleClub, reinstateClub, retireClub } from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { dayIn } from '../../ui/day-in.ts';
import { changedWithClub } from './club-dialog.tsx';

/** Retires a club from a day on, or reinstates it. */
export function RetireDialog({ club, onClose }: { club: ConsoleClub; onClose: () => void }) {
  const [isRetired] = useState(club.retiredFrom !== null); // what was asked, also once the club is read again
  const [from, setFrom] = useState(isRetired ? '' : club.today);
  const day = dayIn(from);
  return (
    <ActDialog
      title={`${isRetired ? 'Reinstate' : 'Retire'} ${club.name}`}
      action={isRetired ? 'Reinstate' : 'Retire'}
      isDangerous={!isRetired}
      act={() => (isRetired ? call(reinstateClub, { clubId: club.id }) : call(retireClub, { clubId: club.id, from }))}
      changes={changedWithClub}
      onClose={onClose}
    >
      {(problem) =>
        isRetired ? (
          <p>Supporters can choose it again right away, and gifts from those who still have it continue.</p>
        ) : (
          <>
            <TextField
              label="From"
              name="from"
              type="date"
              value={from}
              min={club.today}
              error={problem('from')}
              onChange={(event) => setFrom(event.target.value)}
            />
            <p>
              {day
                ? `From ${longDay(day)} nobody can choose it and its supporters are no longer debited. What was given before is paid out.`
                : 'Please choose a day.'}
            </p>
          </>
        )
      }
    </ActDialog>
  );
}
