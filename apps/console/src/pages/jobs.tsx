import {
  dropFailedJob,
  type FailedJob,
  listFailedJobs,
  listFailedNotifications,
  listParkedWork,
  listQueues,
  type Queue,
  retryFailedJobs,
} from '@sparechange/contract/console';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { CallProblem } from '#api/call-problem.ts';
import { useList } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import type { RowsAct } from '../ui/act-on-rows.tsx';
import { Line, OpenRow, Quiet, ShortId } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Loading, PageFrame, Section } from '../ui/page.tsx';
import { instantInWords } from '../words.ts';
import { FailedNotifications } from './jobs/failed-notifications.tsx';
import { DropDialog, FailedWorkDialog } from './jobs/failed-work-dialog.tsx';
import styles from './jobs/jobs.module.css';
import { Parked } from './jobs/parked-work.tsx';
import { Timetable } from './jobs/timetable.tsx';

/** Failed work, queues and the timetable. */
export default function Jobs() {
  const mayAct = useMay(retryFailedJobs);
  return (
    <PageFrame title="Jobs" lead="Failed jobs, queues and the schedule.">
      <Failures mayAct={mayAct} />
      <Timetable mayAct={mayAct} />
      <Section title="Queues">
        <List name="Queues" operation={listQueues} columns={queueColumns} empty="There are no queues." />
      </Section>
    </PageFrame>
  );
}

/** Shows what failed, or in one line that nothing did; parts that were shown once stay, with their dialogs. */
function Failures({ mayAct }: { mayAct: boolean }) {
  const lists = [useList(listFailedJobs), useList(listParkedWork), useList(listFailedNotifications)];
  const [isShown, setShown] = useState(false);
  if (!isShown && lists.some(({ isLoading }) => isLoading)) return <Loading />;
  const isQuiet = lists.every(({ rows, silentServers }) => rows?.length === 0 && silentServers.length === 0);
  if (!isShown && !isQuiet) setShown(true);
  if (!isShown) return <p className={styles.quiet}>Nothing failed</p>;
  return (
    <>
      <FailedJobs mayAct={mayAct} />
      <Parked mayAct={mayAct} />
      <FailedNotifications mayAct={mayAct} />
    </>
  );
}

const queueNames: Record<string, string> = {
  'supporter-work': "Supporters' transactions and consents",
  outbox: 'Mails to be sent',
  notifications: 'Notifications of providers',
  'webhook-deliveries': 'Events for endpoints',
  timetable: 'Job: timetable',
  'timetable-settlement': 'Job: timetable, outcomes and payouts',
  'timetable-books': 'Job: timetable, audit and reconciliation',
  'submit-donations': 'Job: submit donations',
  'handle-bank-news': 'Job: notifications of the bank link',
  'handle-payment-news': 'Job: notifications of payments',
  mails: 'Job: send mails',
  webhooks: 'Job: deliver events',
  watch: 'Job: watch and raise alarms',
  'handle-notifications': 'Job of the version before: notifications',
  'sync-supporter': 'Job of the version before: transactions',
};
const queueOf = (name: string) => queueNames[name] ?? name;
const aboutOf = ({ key }: FailedJob) => (key === 'all' ? '' : `Supporter ${key}`);

const errorOf = ({ error }: FailedJob) => error ?? 'none was kept';

const failedColumns = (open: (job: FailedJob) => void): Column<FailedJob>[] => [
  {
    title: 'Job',
    text: (job) => `${queueOf(job.queue)} ${aboutOf(job)}`.trim(),
    opens: true,
    show: (job) => (
      <>
        <OpenRow onClick={() => open(job)}>{queueOf(job.queue)}</OpenRow>
        <Quiet>
          {job.key !== 'all' && (
            <span className={styles.supporter}>
              Supporter <ShortId id={job.key} />
            </span>
          )}
        </Quiet>
        <Line className={styles.onPhone}>{errorOf(job)}</Line>
      </>
    ),
  },
  instantColumn('Failed', ({ failedAt }) => failedAt),
  { title: 'Attempts', text: ({ attempts }) => String(attempts), isSecondary: true },
  { title: 'Last error', text: errorOf, isSecondary: true },
];

const retrying: RowsAct<FailedJob> = {
  isFor: () => true,
  nameOf: (job) => `${queueOf(job.queue)} ${aboutOf(job)}`.trim(),
  action: 'Retry',
  question: (count) => `Retry ${counted(count, 'job')}?`,
  explanation: 'They run now. Running a job twice moves no money twice. Fix the cause first.',
  act: async ({ id }) => {
    const [failure] = (await call(retryFailedJobs, { jobId: id })).failures;
    if (failure) throw new CallProblem(409, 'conflict', failure.because);
  },
  done: (count) => `${counted(count, 'job')} queued again.`,
  changes: [listFailedJobs, listQueues],
};

function FailedJobs({ mayAct }: { mayAct: boolean }) {
  const [opened, setOpened] = useState<FailedJob | 'all'>();
  const isEmpty = !useList(listFailedJobs).rows?.length;
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Failed jobs"
      actions={
        mayAct &&
        !isEmpty && (
          <Button look="secondary" onClick={() => setOpened('all')}>
            Retry all
          </Button>
        )
      }
    >
      <List
        name="Failed jobs"
        operation={listFailedJobs}
        columns={failedColumns(setOpened)}
        act={mayAct ? retrying : undefined}
        empty="No job has failed."
      />
      {opened === 'all' && <RetryJobs onClose={close} />}
      {opened && opened !== 'all' && <FailedJobDialog job={opened} mayAct={mayAct} onClose={close} />}
    </Section>
  );
}

/** Queues one failed job again, or all. */
const RetryJobs = ({ job, onClose }: { job?: FailedJob; onClose: () => void }) => (
  <ActDialog
    title={job ? `Retry ${queueOf(job.queue)}?` : 'Retry all failed jobs?'}
    action="Retry"
    act={() => call(retryFailedJobs, { jobId: job?.id })}
    changes={[listFailedJobs, listQueues]}
    after={({ retried, failures: [first, ...more], left }) => (
      <>
        <p>{counted(retried, 'job')} queued again.</p>
        {left > 0 && <Notice>{counted(left, 'failed job is', 'failed jobs are')} left: retry all again.</Notice>}
        {first && (
          <Notice>
            {counted(more.length + 1, 'job')} could not be queued, the first because: {first.because}
          </Notice>
        )}
      </>
    )}
    onClose={onClose}
  >
    {() => (
      <p>
        {job ? 'It runs now.' : 'They run now, at most a thousand of them.'} Running a job twice moves no money twice.
        Fix the cause first.
      </p>
    )}
  </ActDialog>
);

const FailedJobDialog = ({ job, mayAct, onClose }: { job: FailedJob; mayAct: boolean; onClose: () => void }) => (
  <FailedWorkDialog
    title={queueOf(job.queue)}
    error={job.error ?? 'No error was kept.'}
    retry="Retry"
    mayAct={mayAct}
    retrying={<RetryJobs job={job} onClose={onClose} />}
    dropping={
      <DropDialog
        title={`Drop ${queueOf(job.queue)}?`}
        drop={(reason) => call(dropFailedJob, { jobId: job.id, reason })}
        changes={[listFailedJobs]}
        onClose={onClose}
      >
        Its work is forgotten. That is right where a later job has done it.
      </DropDialog>
    }
    onClose={onClose}
  >
    Failed on {instantInWords(job.failedAt)} after {counted(job.attempts, 'attempt')}. {aboutOf(job)}
  </FailedWorkDialog>
);

const queueColumns: Column<Queue>[] = [
  { title: 'Queue', text: ({ id }) => queueOf(id) },
  { title: 'Waiting', text: ({ waiting }) => waiting.toLocaleString('en-AU'), isAmount: true },
  instantColumn('Waiting since', ({ oldestAt, waiting }) => (waiting > 0 ? oldestAt : null), { isSecondary: true }),
];
