import { invitePerson, listPeople } from '@sparechange/contract/console';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { problemOf } from '#api/call-problem.ts';
import { queryClient } from '#api/query-client.ts';
import { Failure } from '../ui/failure.tsx';
import { type Granted, RoleFields } from './role-fields.tsx';
import { SecondPerson } from './second-person.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [granted, setGranted] = useState<Granted>({ roles: [], clubs: [] });
  const invite = useMutation({
    mutationFn: (form: FormData) =>
      call(invitePerson, {
        name: String(form.get('name')),
        email: String(form.get('email')),
        roles: granted.roles,
        clubIds: granted.clubs.map(({ id }) => id),
      }),
    onSuccess: ({ awaitsApproval }) => {
      void queryClient.invalidateQueries({ queryKey: [listPeople.name] });
      if (!awaitsApproval) onClose();
    },
  });
  const { error } = invite;
  if (invite.data?.awaitsApproval) return <SecondPerson onClose={onClose} />;
  return (
    <Modal title="Invite somebody" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextField label="Name" name="name" required maxLength={100} error={problemOf(error, 'name')} />
        <TextField label="Email" name="email" type="email" required error={problemOf(error, 'email')} />
        <RoleFields
          granted={granted}
          onChange={setGranted}
          error={problemOf(error, 'roles') ?? problemOf(error, 'clubIds')}
        />
        <Failure of={error} />
        <ModalActions onCancel={onClose} action="Send invitation" isBusy={invite.isPending} />
      </form>
    </Modal>
  );
}
