import {
  addClosedDay,
  type ClosedDay,
  listClosedDays,
  planRun,
  removeClosedDay,
  retrieveRunState,
  retrieveToday,
} from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow } from '../../ui/cells.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section, Tag } from '../../ui/page.tsx';

const changes = [listClosedDays, retrieveRunState, planRun, retrieveToday];

const columnsFor = (remove: ((day: ClosedDay) => void) | undefined): Column<ClosedDay>[] => [
  {
    title: 'Day',
    text: ({ id }) => id,
    opens: true,
    show: (day) =>
      remove && !day.isPast ? <OpenRow onClick={() => remove(day)}>{longDay(day.id)}</OpenRow> : longDay(day.id),
  },
  { title: 'Reason', text: ({ reason }) => reason ?? '' },
  {
    title: 'State',
    text: ({ isPast }) => (isPast ? 'Past' : 'To come'),
    show: ({ isPast }) => <Tag>{isPast ? 'Past' : 'To come'}</Tag>,
    isSecondary: true,
  },
];

/** Extra days on which banks do not settle, so that nothing is debited or paid. */
export function ClosedDays({ mayAct }: { mayAct: boolean }) {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<ClosedDay>();
  return (
    <Section
      title="Extra closed days"
      actions={
        mayAct && (
          <Button look="secondary" onClick={() => setAdding(true)}>
            Close a day
          </Button>
        )
      }
    >
      <List
        name="Extra closed days"
        operation={listClosedDays}
        columns={columnsFor(mayAct ? setRemoved : undefined)}
        empty={
          mayAct
            ? 'None. Weekends and bank holidays are already counted; add a day declared at short notice here.'
            : 'None. Weekends and bank holidays are already counted.'
        }
      />
      {isAdding && <CloseDay onClose={() => setAdding(false)} />}
      {removed && <OpenDay day={removed} onClose={() => setRemoved(undefined)} />}
    </Section>
  );
}

const CloseDay = ({ onClose }: { onClose: () => void }) => (
  <ActDialog
    title="Close a day"
    action="Close the day"
    act={(form) => call(addClosedDay, { day: String(form.get('day')), reason: String(form.get('reason')) })}
    changes={changes}
    after={({ nextDebitDay }) => <p>The day is closed. The next debits are on {longDay(nextDebitDay)}.</p>}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          Banks do not settle on it: debits, payouts and clearing move to the next banking day, as over a holiday. A day
          whose debits are planned cannot be closed any more.
        </p>
        <TextField label="Day" name="day" type="date" required error={problem('day')} />
        <TextField label="Reason" name="reason" maxLength={200} required error={problem('reason')} />
      </>
    )}
  </ActDialog>
);

const OpenDay = ({ day: { id, reason }, onClose }: { day: ClosedDay; onClose: () => void }) => (
  <ActDialog
    title={`Open ${longDay(id)} again?`}
    action="Open the day"
    act={() => call(removeClosedDay, { day: id })}
    changes={changes}
    onClose={onClose}
  >
    {() => (
      <p>
        It was closed because: {reason}. Banks settle on it again, and its debits are made on their day. Supporters who
        skipped the run in its place skip that day's debit instead, and are debited with the run after it.
      </p>
    )}
  </ActDialog>
);
