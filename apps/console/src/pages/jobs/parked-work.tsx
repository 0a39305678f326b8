import {
  dropParkedWork,
  listParkedWork,
  listQueues,
  type ParkedWork,
  retryParkedWork,
} from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '#api/call.ts';
import { useList } from '#api/use-list.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Line, OpenRow, Quiet, ShortId } from '../../ui/cells.tsx';
import { instantColumn } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { DropDialog, FailedWorkDialog } from './failed-work-dialog.tsx';
import styles from './jobs.module.css';

const workNames: Record<ParkedWork['kind'], string> = {
  sync: 'Fetch transactions',
  consent_poll: 'Look at the consent',
};

const errorOf = ({ error }: ParkedWork) => error ?? 'no answer';

const columnsFor = (open: (work: ParkedWork) => void): Column<ParkedWork>[] => [
  {
    title: 'Work',
    text: ({ kind, supporterId }) => `${workNames[kind]} of ${supporterId}`,
    opens: true,
    show: (work) => (
      <>
        <OpenRow onClick={() => open(work)}>{workNames[work.kind]}</OpenRow>
        <Quiet>
          <span className={styles.supporter}>
            Supporter <ShortId id={work.supporterId} />
          </span>
        </Quiet>
        <Line className={styles.onPhone}>{errorOf(work)}</Line>
      </>
    ),
  },
  instantColumn('Failing since', ({ failingSince }) => failingSince),
  { title: 'Last error', text: errorOf, isSecondary: true },
];

/** Supporters' work that has failed for a day. */
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

/** Makes one or all pieces of parked work due. */
const TryNow = ({ work, onClose }: { work?: ParkedWork; onClose: () => void }) => (
  <ActDialog
    title={work ? `${workNames[work.kind]} now?` : 'Try all parked work now?'}
    action="Try now"
    act={() => call(retryParkedWork, { supporterId: work?.supporterId, kind: work?.kind })}
    changes={[listParkedWork, listQueues]}
    after={({ retried }) => <p>{counted(retried, 'piece')} of work due now.</p>}
    onClose={onClose}
  >
    {() => <p>The bank link is asked now, as fast as it answers.</p>}
  </ActDialog>
);

const ParkedDialog = ({ work, mayAct, onClose }: { work: ParkedWork; mayAct: boolean; onClose: () => void }) => (
  <FailedWorkDialog
    title={workNames[work.kind]}
    error={work.error ?? 'The bank link has not answered.'}
    retry="Try now"
    mayAct={mayAct}
    retrying={<TryNow work={work} onClose={onClose} />}
    dropping={
      <DropDialog
        title={`Drop "${workNames[work.kind]}"?`}
        drop={(reason) => call(dropParkedWork, { supporterId: work.supporterId, kind: work.kind, reason })}
        changes={[listParkedWork, listQueues]}
        onClose={onClose}
      >
        It is dropped until it next falls due, twice a day, and then starts again. Nothing recorded is lost.
      </DropDialog>
    }
    onClose={onClose}
  >
    Has failed since {instantInWords(work.failingSince)} for{' '}
    <Link to={`/supporters/${work.supporterId}`}>this supporter</Link>.
  </FailedWorkDialog>
);
