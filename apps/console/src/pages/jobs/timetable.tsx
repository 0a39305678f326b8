import { listTimetable, runTaskAgain, type TimetableEntry } from '@sparechange/contract/console';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { OpenRow, Quiet } from '../../ui/cells.tsx';
import { instantColumn, NearInstant } from '../../ui/columns.tsx';
import { type Column, List } from '../../ui/list.tsx';
import { Section, Tag } from '../../ui/page.tsx';
import styles from './jobs.module.css';

const taskNames: Record<string, string> = {
  audit: 'Audit of the books',
  reconcile: 'Reconciliation with the provider',
  retention: 'Deletion of outdated data',
  'consent-poll': 'Check all consents',
  'end-pauses': 'End of pauses',
  'consent-run': 'Reminders and ends of consents',
  sync: 'Fetch transactions',
  'mandate-poll': 'Check all mandates',
  settle: 'Outcomes of payments',
  'debit-run': 'Debit run',
  remit: 'Payouts to clubs',
  'savings-run': 'Deposits to savers',
  'debit-notice': 'Notices of debits',
  'onboarding-reminder': 'Reminders to finish onboarding',
};
const stateNames = {
  done: 'Done',
  due: 'Due',
  failed: 'Failed',
  missed: 'Missed',
} as const;
const tones = { done: 'good', due: 'plain', failed: 'bad', missed: 'bad' } as const;

type RunAgain = ((entry: TimetableEntry) => void) | undefined;

const taskOf = ({ id }: TimetableEntry) => taskNames[id] ?? id;

const LastTime = ({ entry, runAgain }: { entry: TimetableEntry; runAgain: RunAgain }) => {
  const { state, lastDueAt, mayRunAgain } = entry;
  if (!state || !lastDueAt) return 'not yet';
  return (
    <>
      <Tag tone={tones[state]}>{stateNames[state]}</Tag>
      <Quiet>
        <NearInstant at={lastDueAt} />
      </Quiet>
      {mayRunAgain && runAgain && (
        <OpenRow label={`Run again: ${taskOf(entry)}`} onClick={() => runAgain(entry)}>
          Run again
        </OpenRow>
      )}
    </>
  );
};

const timetableColumns = (runAgain: RunAgain): Column<TimetableEntry>[] => [
  {
    title: 'Task',
    text: taskOf,
    show: (entry) => (
      <>
        {taskOf(entry)}
        <span className={`${styles.lastTime} ${styles.onPhone}`} data-line>
          <LastTime entry={entry} runAgain={runAgain} />
        </span>
      </>
    ),
  },
  {
    title: 'Last time',
    text: ({ state }) => (state ? stateNames[state] : 'not yet'),
    show: (entry) => <LastTime entry={entry} runAgain={runAgain} />,
    isSecondary: true,
  },
  instantColumn('Done last', ({ lastDoneAt }) => lastDoneAt, { empty: 'never', isNear: true, isSecondary: true }),
  instantColumn('Next', ({ nextDueAt }) => nextDueAt, { empty: 'never', isNear: true }),
];

/** The tasks of the day, with their last and next times. */
export function Timetable({ mayAct }: { mayAct: boolean }) {
  const [chosen, setChosen] = useState<TimetableEntry>();
  return (
    <Section title="Timetable">
      <List
        name="Timetable"
        operation={listTimetable}
        columns={timetableColumns(mayAct ? setChosen : undefined)}
        empty="There are no tasks."
      />
      {chosen && (
        <ActDialog
          title={`Run "${taskOf(chosen)}" again?`}
          action="Run again"
          act={() => call(runTaskAgain, { task: chosen.id })}
          changes={[listTimetable]}
          onClose={() => setChosen(undefined)}
        >
          {() => (
            <p>
              It is done within a minute, and tried each minute until the day is over. No money moves twice. Otherwise
              its next time takes along what was left undone.
            </p>
          )}
        </ActDialog>
      )}
    </Section>
  );
}
