import type { RunProgress } from '@sparechange/contract/console';
import { type Cents, formatCents } from '@sparechange/domain';
import { sumOfRuns } from '@sparechange/domain/run-anomaly';
import { stateNames } from '../payments/payment-words.ts';
import styles from './run-progress.module.css';

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

/** Shows a run's progress as a bar with figures. */
export function Progress({ progress }: { progress: RunProgress }) {
  const { planned, submitting, submitted, cleared, failed, deferred } = progress;
  const steps = [
    { words: stateNames.cleared, tone: 'good', ...cleared },
    { words: 'Came back', tone: 'bad', ...failed },
    { words: 'Sent, no outcome yet', tone: 'sent', ...submitted },
    { words: stateNames.submitting, tone: 'sending', ...submitting },
    { words: stateNames.planned, tone: 'planned', ...planned },
    { words: stateNames.deferred, tone: 'later', ...deferred },
  ].filter(({ debits }) => debits > 0);
  const whole = sumOfRuns(steps);
  if (whole.debits === 0) return <p className={styles.none}>Nobody was debited.</p>;
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {steps.map(({ words, tone, debits }) => (
          <span key={words} data-tone={tone} style={{ flexGrow: debits }} />
        ))}
      </div>
      <SumTable name="Progress" of="State" rows={[...steps, { words: 'All', ...whole }]} />
    </>
  );
}
