import { invitePerson, listPeople } from '@sparechange/contract/console';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { RoleWaits, secondPersonTitle } from '../parts/second-person.tsx';
import { type Granted, RoleFields } from './role-fields.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [{ roles, clubs }, setGranted] = useState<Granted>({ roles: [], clubs: [] });
  return (
    <ActDialog
      title="Invite somebody"
      action="Send invitation"
      act={(form) =>
        call(invitePerson, {
          name: String(form.get('name')),
          email: String(form.get('email')),
          roles,
          clubIds: clubs.map(({ id }) => id),
        })
      }
      changes={[listPeople]}
      after={({ awaitsApproval }) => awaitsApproval && <RoleWaits />}
      afterTitle={secondPersonTitle}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <TextField label="Name" name="name" required maxLength={100} error={problem('name')} />
          <TextField label="Email" name="email" type="email" required error={problem('email')} />
          <RoleFields granted={{ roles, clubs }} onChange={setGranted} problem={problem} />
        </>
      )}
    </ActDialog>
  );
}
