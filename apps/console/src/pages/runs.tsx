import { type ListedRun, listRuns, type RunProgress, retrieveRunState, runDebits } from '@sparechange/contract/console';
import { formatCents, shortDay } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useState } from 'react';
import { Link, Route, Routes } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { useList } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { useOpened } from '../palette/use-opened.ts';
import { amountColumn, WithWeekday } from '../ui/columns.tsx';
import { Failure } from '../ui/failure.tsx';
import { type Column, List } from '../ui/list.tsx';
import { Loading, Note, PageFrame, Section, Tag } from '../ui/page.tsx';
import { momentInWords } from '../words.ts';
import { Approvals, useApprovalsOf } from './parts/approvals.tsx';
import { ClosedDays } from './runs/closed-days.tsx';
import { type RunAct, RunDialog } from './runs/run-dialog.tsx';
import { RunPage } from './runs/run-page.tsx';
import { RunPlanSection } from './runs/run-plan.tsx';
import { RecentRuns } from './runs/run-progress.tsx';
import { runStates, suspensionInWords } from './runs/run-words.ts';
import styles from './today/today.module.css';

/** Shows the next debit run, earlier ones and suspensions; below, a single run. */
export default function RunsPage() {
  return (
    <Routes>
      <Route index element={<AllRuns />} />
      <Route path=":date" element={<RunPage />} />
    </Routes>
  );
}

type Sum = RunProgress['cleared'];

const numberOf = ({ debits }: Sum): string => debits.toLocaleString('en-AU');

/** Makes a column of debits with one outcome, and their amount; empty while unknown. */
const outcomeColumn = (title: string, of: (progress: RunProgress) => Sum): Column<ListedRun> => ({
  title,
  text: ({ progress }) => (progress ? numberOf(of(progress)) : ''),
  show: ({ progress }) => {
    const sum = progress && of(progress);
    if (!sum) return '';
    return sum.debits > 0 ? `${numberOf(sum)}, ${formatCents(sum.cents)}` : '0';
  },
  isAmount: true,
  isSecondary: true,
});

/** The share of returned debits among those that banks have answered: "1.4%". */
export function returnedShare({ cleared, failed }: Pick<RunProgress, 'cleared' | 'failed'>): string {
  const answered = cleared.debits + failed.debits;
  if (answered === 0) return '';
  return (failed.debits / answered).toLocaleString('en-AU', { style: 'percent', maximumFractionDigits: 1 });
}

const columns: Column<ListedRun>[] = [
  {
    title: 'Run',
    text: ({ date }) => date,
    opens: true,
    show: ({ date }) => (
      <Link to={date} className={styles.link}>
        <WithWeekday words={shortDay(date)} />
        <span className={styles.year}> {date.slice(0, 4)}</span>
      </Link>
    ),
  },
  {
    title: 'State',
    text: ({ state }) => runStates[state].name,
    show: ({ state }) => <Tag tone={runStates[state].tone}>{runStates[state].name}</Tag>,
  },
  { title: 'Debits', text: ({ debits }) => debits.toLocaleString('en-AU'), isAmount: true, isSecondary: true },
  amountColumn('Amount', ({ cents }) => cents),
  outcomeColumn('Cleared', ({ cleared }) => cleared),
  outcomeColumn('Returned', ({ failed }) => failed),
  {
    title: 'Returned %',
    text: ({ progress }) => (progress ? returnedShare(progress) : ''),
    isAmount: true,
    isSecondary: true,
  },
];

const runsDrawn = 12;

/** Draws the last runs above their list. */
function LastRuns() {
  const runs = useList<ListedRun>(listRuns).rows?.slice(0, runsDrawn) ?? [];
  return runs.length > 1 && <RecentRuns runs={runs} />;
}

const nextRunInWords = (at: Date, isSuspended: boolean): string =>
  isSuspended
    ? `No debit run is made while debiting is suspended. The next one would be on ${momentInWords(at)}.`
    : `The next debit run is on ${momentInWords(at)}.`;

function AllRuns() {
  const mayAct = useMay(runDebits);
  const [act, setAct] = useState<RunAct>();
  const [opened, open] = useOpened('suspend');
  const state = useAnswer(retrieveRunState, {});
  const asked = [...useApprovalsOf('debit_run', mayAct), ...useApprovalsOf('tenant_resume', mayAct)];
  if (!state.data) return state.error ? <Failure of={state.error} again={state.refetch} /> : <Loading />;
  const { nextRunAt, missedRun, suspension, tenants } = state.data;
  const suspended = tenants.filter((each) => each.suspended);
  const offered = tenants.map((each) => ({
    ...each,
    name: each.suspended ? `${each.name}, for one more reason` : each.name,
  }));
  return (
    <PageFrame title="Runs" lead={nextRunInWords(nextRunAt, suspension !== null)}>
      {suspension && (
        <Section title={suspension.isAnomaly ? 'An unusual run waits' : 'Debiting is stopped'}>
          <p>
            {suspensionInWords(suspension)}
            {suspension.because && `: ${suspension.because}`}.
          </p>
          {mayAct && (
            <div className={styles.acts}>
              <Button onClick={() => setAct({ kind: suspension.isAnomaly ? 'confirmed' : 'forced', ...suspension })}>
                {suspension.isAnomaly ? 'Confirm the run' : 'Resume debiting'}
              </Button>
              <Button look="secondary" onClick={() => setAct({ kind: 'stop', ...suspension })}>
                Leave it stopped
              </Button>
            </div>
          )}
        </Section>
      )}
      {missedRun && !suspension && (
        <Section title="A run is not finished">
          <p>The run of {shortDay(missedRun)} was due. Made again, it takes only what has not been taken.</p>
          {mayAct && (
            <div className={styles.acts}>
              <Button onClick={() => setAct({ kind: 'again', date: missedRun })}>Make it now</Button>
            </div>
          )}
        </Section>
      )}
      {asked.length > 0 && (
        <Section title="Second person">
          <Approvals approvals={asked} />
        </Section>
      )}
      {mayAct && <RunPlanSection conditions={state.data} />}
      <Section title="Runs so far">
        <LastRuns />
        <List name="Debit runs" operation={listRuns} columns={columns} empty="No run has been made yet." />
      </Section>
      <Section
        title="Tenants"
        actions={
          mayAct &&
          offered.length > 0 && (
            <Button look="secondary" isDangerous onClick={() => open('suspend')}>
              Suspend a tenant
            </Button>
          )
        }
      >
        {suspended.length === 0 && (
          <Note>
            {suspension
              ? 'No single tenant is suspended. Debits are on for every tenant once debiting resumes.'
              : 'Debits are on for every tenant.'}
          </Note>
        )}
        <ul className={styles.rows}>
          {suspended.map(({ tenant, name, suspended: since }) => (
            <li key={tenant} className={styles.row}>
              <Tag tone="bad">Suspended</Tag>
              <p>
                {name}: {since && [since.because, `since ${momentInWords(since.since)}`].filter(Boolean).join(', ')}
              </p>
              {mayAct && (
                <Button
                  look="secondary"
                  aria-label={`Resume ${name}`}
                  onClick={() => setAct({ kind: 'resume', tenant, name })}
                >
                  Resume
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <ClosedDays mayAct={mayAct} />
      {act && <RunDialog act={act} onClose={() => setAct(undefined)} />}
      {opened === 'suspend' && mayAct && offered.length > 0 && (
        <RunDialog act={{ kind: 'suspend', tenants: offered }} onClose={() => open()} />
      )}
    </PageFrame>
  );
}
