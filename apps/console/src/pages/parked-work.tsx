import {
  dropParkedWork,
  listParkedWork,
  listQueues,
  type ParkedWork,
  retryParkedWork,
} from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#api/call.ts';
import { useList } from '#api/use-list.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { Acts, OpenRow, Quiet } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';

const workNames: Record<ParkedWork['kind'], string> = {
  sync: 'Fetch transactions',
  consent_poll: 'Look at the consent',
};

const columnsFor = (open: (work: ParkedWork) => void): Column<ParkedWork>[] => [
  {
    title: 'Work',
    text: ({ kind, supporterId }) => `${workNames[kind]} of ${supporterId}`,
    show: (work) => (
      <>
        <OpenRow onClick={() => open(work)}>{workNames[work.kind]}</OpenRow>
        <Quiet>Supporter {work.supporterId}</Quiet>
      </>
    ),
  },
  instantColumn('Failing since', ({ failingSince }) => failingSince),
  { title: 'Last error', text: ({ error }) => error ?? 'no answer', isSecondary: true },
];

/** Work of supporters that has failed for a day. */
export function Parked({ mayAct }: { mayAct: boolean }) {
  const [opened, setOpened] = useState<ParkedWork | 'all'>();
  const isEmpty = !useList(listParkedWork).rows?.length;
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Parked work of supporters"
      actions={
        mayAct &&
        !isEmpty && (
          <Button look="secondary" onClick={() => setOpened('all')}>
            Try all now
          </Button>
        )
      }
    >
      <List
        name="Parked work of supporters"
        operation={listParkedWork}
        columns={columnsFor(setOpened)}
        empty="Nothing is parked. What fails for a day is parked here and tried twice a day."
      />
      {opened === 'all' && <TryNow onClose={close} />}
      {opened && opened !== 'all' && <ParkedDialog work={opened} mayAct={mayAct} onClose={close} />}
    </Section>
  );
}

/** Makes one piece of parked work due, or all. */
const TryNow = ({ work, onClose }: { work?: ParkedWork; onClose: () => void }) => (
  <ActDialog
    title={work ? `${workNames[work.kind]} now?` : 'Try all parked work now?'}
    action="Try now"
    act={() => call(retryParkedWork, { supporterId: work?.supporterId, kind: work?.kind })}
    changes={[listParkedWork, listQueues]}
    after={({ retried }) => <p>{counted(retried, 'piece')} of work due now.</p>}
    onClose={onClose}
  >
    {() => <p>The bank link is asked at once, as fast as it answers.</p>}
  </ActDialog>
);

const Drop = ({ work: { supporterId, kind }, onClose }: { work: ParkedWork; onClose: () => void }) => (
  <ActDialog
    title={`Drop "${workNames[kind]}"?`}
    action="Drop"
    act={(form) => call(dropParkedWork, { supporterId, kind, reason: String(form.get('reason')) })}
    changes={[listParkedWork, listQueues]}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          It is forgotten until it falls due again for everybody, twice a day, and then begins afresh. Nothing that was
          recorded is lost.
        </p>
        <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
      </>
    )}
  </ActDialog>
);

function ParkedDialog({ work, mayAct, onClose }: { work: ParkedWork; mayAct: boolean; onClose: () => void }) {
  const [asked, setAsked] = useState<'retry' | 'drop'>();
  if (asked === 'retry') return <TryNow work={work} onClose={onClose} />;
  if (asked === 'drop') return <Drop work={work} onClose={onClose} />;
  return (
    <Modal title={workNames[work.kind]} onClose={onClose}>
      <p>
        Has failed since {instantInWords(work.failingSince)} for{' '}
        <Link to={`/supporters/${work.supporterId}`}>this supporter</Link>.
      </p>
      <Notice>{work.error ?? 'The bank link has not answered.'}</Notice>
      {mayAct && (
        <Acts>
          <Button look="secondary" onClick={() => setAsked('retry')}>
            Try now
          </Button>
          <Button look="quiet" onClick={() => setAsked('drop')}>
            Drop
          </Button>
        </Acts>
      )}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}
