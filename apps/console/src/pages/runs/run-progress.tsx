import type { RunProgress } from '@sparechange/contract/console';
import { type Cents, formatCents } from '@sparechange/domain';
import { type RunTotal, sumOfRuns } from '@sparechange/domain/run-anomaly';
import { stateNames } from '../payments/payment-words.ts';
import styles from './run-progress.module.css';
import { waitingForBanks } from './run-words.ts';

interface SumTableProps {
  name: string;
  /** Heads the first column. */
  of: string;
  rows: readonly { words: string; debits: number; cents: Cents; tone?: string }[];
}

/** Debits and their dollars, line by line. */
export const SumTable = ({ name, of, rows }: SumTableProps) => (
  <table className={styles.table} aria-label={name}>
    <thead>
      <tr>
        <th scope="col">{of}</th>
        <th scope="col">Debits</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ words, debits, cents, tone }) => (
        <tr key={words}>
          <th scope="row">
            {tone && <span className={styles.dot} data-tone={tone} />}
            {words}
          </th>
          <td>{debits.toLocaleString('en-AU')}</td>
          <td>{formatCents(cents)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Debits of a run with one outcome, in the bar and the table. */
type Step = RunTotal & { words: string; tone: string };

const stepsOf = ({ planned, submitting, submitted, cleared, failed, deferred }: RunProgress): Step[] =>
  [
    { words: stateNames.cleared, tone: 'good', ...cleared },
    { words: stateNames.returned, tone: 'bad', ...failed },
    { words: waitingForBanks, tone: 'sent', ...submitted },
    { words: stateNames.submitting, tone: 'sending', ...submitting },
    { words: stateNames.planned, tone: 'planned', ...planned },
    { words: stateNames.deferred, tone: 'later', ...deferred },
  ].filter(({ debits }) => debits > 0);

/** Shows a run's progress as a bar, with its figures in a table: by outcome, or by the rows that are given. */
export function Progress({ progress, rows }: { progress: RunProgress; rows?: readonly Step[] }) {
  const steps = stepsOf(progress);
  const whole = sumOfRuns(steps);
  if (whole.debits === 0) return <p className={styles.none}>Nobody was debited.</p>;
  const shown = rows ?? steps;
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {steps.map(({ words, tone, debits }) => (
          <span key={words} data-tone={tone} style={{ flexGrow: debits }} />
        ))}
      </div>
      <SumTable
        name={rows ? 'Outcomes' : 'Progress'}
        of={rows ? 'Outcome' : 'State'}
        rows={shown.length > 1 ? [...shown, { words: 'All', ...whole }] : shown}
      />
    </>
  );
}

const legend = [
  { words: stateNames.cleared, tone: 'good' },
  { words: stateNames.returned, tone: 'bad' },
  { words: waitingForBanks, tone: 'sent' },
];

interface RecentRunsProps {
  /** The newest first. */
  runs: readonly { id: string; cents: Cents; progress: RunProgress | null }[];
}

/** Draws runs as bars, the oldest first: cleared, returned and not answered yet. The list below has the figures. */
export function RecentRuns({ runs }: RecentRunsProps) {
  const most = Math.max(1, ...runs.map(({ cents }) => cents));
  return (
    <div aria-hidden="true">
      <div className={styles.recent}>
        {runs.toReversed().map(({ id, cents, progress }) => (
          <div key={id} style={{ height: `${Math.max(4, (100 * cents) / most)}%` }}>
            {progress &&
              stepsOf(progress).map(({ words, tone, cents: share }) => (
                <span key={words} data-tone={tone} style={{ flexGrow: share }} />
              ))}
          </div>
        ))}
      </div>
      <p className={styles.legend}>
        Last {runs.length}
        {legend.map(({ words, tone }) => (
          <span key={tone}>
            <span className={styles.dot} data-tone={tone} />
            {words}
          </span>
        ))}
      </p>
    </div>
  );
}
