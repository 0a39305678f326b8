import { retrieveRun } from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { Link, useParams } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, PageFrame, Pairs, Section, Tag } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print-button.tsx';
import { capitalised, momentInWords } from '../../words.ts';
import styles from '../today/today.module.css';
import { Progress } from './run-progress.tsx';
import { outcomeInWords, outcomeTones, runStates, suspensionInWords } from './run-words.ts';

/** Shows one run: its course, progress and debits' outcomes. */
export function RunPage() {
  const { date = '' } = useParams();
  const { data, error, refetch } = useAnswer(retrieveRun, { date });
  if (!data)
    return (
      <PageFrame title="Run" lead={<Link to="/runs">All runs</Link>}>
        {error ? <Failure of={error} otherwise="There is no run of that day." again={refetch} /> : <Loading />}
      </PageFrame>
    );
  const { run, progress, outcomes, leftOut } = data;
  const course = [
    ['Debiting suspended', run.suspendedAt],
    ['Debiting resumed', run.resumedAt],
    ['Confirmed', run.confirmedAt],
    ['Planned', run.plannedAt],
    ['All sent', run.finishedAt],
  ] as const;
  const steps = course.flatMap(([name, at]) => (at ? [{ name, at }] : []));
  return (
    <PageFrame
      title={`Run of ${longDay(run.date)}`}
      lead={<Tag tone={runStates[run.state].tone}>{runStates[run.state].name}</Tag>}
      actions={
        <>
          <Link to=".." relative="path" className={styles.link}>
            All runs
          </Link>
          <PrintButton />
        </>
      }
    >
      {run.suspendedAt && !run.resumedAt && (
        <Notice>
          {suspensionInWords({ ...run, since: run.suspendedAt })}
          {run.suspendedBecause && `: ${run.suspendedBecause}`}.
        </Notice>
      )}
      <div className={styles.columns}>
        <Section title="Debits">
          <Progress
            progress={progress}
            rows={outcomes.map((sum) => ({
              ...sum,
              words: outcomeInWords(sum),
              tone: outcomeTones[sum.state] ?? 'planned',
            }))}
          />
        </Section>
        <Section title="Timeline">
          <Pairs
            className={styles.figures}
            rows={steps
              .sort((one, other) => one.at.getTime() - other.at.getTime())
              .map(({ name, at }) => [name, momentInWords(at)])}
          />
        </Section>
      </div>
      {leftOut.length > 0 && (
        <Section title="Skipped by this run">
          <Pairs
            className={styles.figures}
            rows={leftOut.map(({ words, debits }) => [capitalised(words), counted(debits, 'supporter')])}
          />
        </Section>
      )}
    </PageFrame>
  );
}
