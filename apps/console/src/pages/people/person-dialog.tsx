import {
  type ConsoleOperation,
  inviteAgain,
  listPeople,
  type Person,
  recoverPerson,
  removePerson,
  setRoles,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { readAgain } from '#api/query-client.ts';
import { useOperator } from '#session/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Form, useCallForm } from '../../ui/form.tsx';
import { RoleWaits, secondPersonTitle } from '../parts/second-person.tsx';
import styles from './people.module.css';
import { type Granted, RoleFields } from './role-fields.tsx';

interface PersonDialogProps {
  person: Person;
  onClose: () => void;
}

/** One person: their roles, and what an owner can do for them. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const [awaitsApproval, setAwaitsApproval] = useState(false);
  const isOwn = useOperator().id === person.id;
  const isGone = person.status === 'removed';
  if (awaitsApproval)
    return (
      <Modal title={secondPersonTitle} onClose={onClose}>
        <RoleWaits />
        <ModalActions onCancel={onClose} cancel="Close" />
      </Modal>
    );
  return (
    <Modal title={person.name} onClose={onClose}>
      <p>{person.email}</p>
      {isOwn && <p>Another owner changes your roles. Your passkeys are under “Your sign-in”.</p>}
      {isGone && <p>Removed. Invite the address again to let them back in.</p>}
      {isOwn || isGone ? (
        <ModalActions onCancel={onClose} cancel="Close" />
      ) : (
        <ChangePerson person={person} onClose={onClose} onSecondPerson={() => setAwaitsApproval(true)} />
      )}
    </Modal>
  );
}

const idsOf = (clubs: Person['clubs']): string[] => clubs.map(({ id }) => id);

function ChangePerson({ person, onClose, onSecondPerson }: PersonDialogProps & { onSecondPerson: () => void }) {
  const [granted, setGranted] = useState<Granted>({ roles: person.roles, clubs: person.clubs });
  const [confirming, setConfirming] = useState<'recover' | 'remove'>();
  const refresh = () => void readAgain([listPeople]);
  const refreshAndClose = () => {
    refresh();
    onClose();
  };
  const save = useMutation({
    mutationFn: () => {
      const seen = { roles: person.roles, clubIds: idsOf(person.clubs) };
      return call(setRoles, { personId: person.id, roles: granted.roles, clubIds: idsOf(granted.clubs), seen });
    },
    onError: refresh, // somebody else may have changed them
    onSuccess: ({ awaitsApproval }) => (awaitsApproval ? onSecondPerson() : refreshAndClose()),
  });
  const act = useMutation({
    mutationFn: (operation: ConsoleOperation) => call(operation, { personId: person.id }),
    onSuccess: refreshAndClose,
  });
  const { problem, form } = useCallForm(save.error, () => save.mutate());
  const confirm = (chosen: 'recover' | 'remove') => {
    act.reset(); // why another act failed is not said of this one
    setConfirming(chosen);
  };
  if (confirming) {
    const isRemoval = confirming === 'remove';
    return (
      <>
        <p>
          {isRemoval
            ? 'They are signed out right away and cannot come back unless they are invited again.'
            : 'Their passkeys and password are removed, they are signed out, and they are emailed a link to choose a new way to sign in.'}
        </p>
        <Failure of={act.error} />
        <ModalActions
          onCancel={() => setConfirming(undefined)}
          action={isRemoval ? 'Remove' : 'Recover'}
          isDangerous={isRemoval}
          onAction={() => act.mutate(isRemoval ? removePerson : recoverPerson)}
          isBusy={act.isPending}
        />
      </>
    );
  }
  return (
    <>
      <Form {...form}>
        <RoleFields granted={granted} onChange={setGranted} problem={problem} />
        <Failure of={save.error} />
        <ModalActions onCancel={onClose} action="Save roles" isBusy={save.isPending} />
      </Form>
      <div className={styles.acts}>
        <Failure of={act.error} />
        {person.status === 'invited' ? (
          <Button look="secondary" isBusy={act.isPending} onClick={() => act.mutate(inviteAgain)}>
            Mail the invitation again
          </Button>
        ) : (
          <Button look="secondary" onClick={() => confirm('recover')}>
            Recover their sign-in
          </Button>
        )}
        <Button look="quiet" isDangerous onClick={() => confirm('remove')}>
          Remove from the console
        </Button>
      </div>
    </>
  );
}
