import { planRun, type RunPlan } from '@sparechange/contract/console';
import { dollars, formatCents, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Dotted } from '../../ui/cells.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Fold, Note, Section, Tag } from '../../ui/page.tsx';
import { SaveRows } from '../../ui/save-rows.tsx';
import { SumTable } from './run-progress.tsx';
import styles from './runs.module.css';

/** Debits shown before somebody asks for all. */
const shownAtFirst = 10;

/** Plans the next run on request; a plan made under other conditions, such as before a suspension, is hidden. */
export function RunPlanSection({ conditions }: { conditions: object }) {
  const plan = useQuery({ queryKey: [planRun.name, conditions], queryFn: () => call(planRun, {}), enabled: false });
  return (
    <Section
      title="Plan ahead"
      actions={
        <Button look="secondary" isBusy={plan.isFetching} onClick={() => void plan.refetch()}>
          {plan.data ? 'Recalculate' : 'Work out the plan'}
        </Button>
      }
    >
      <Failure of={plan.error} />
      {plan.data ? (
        <Plan {...plan.data} />
      ) : (
        <Note>Shows who would be debited and how much, and what differs from their usual. Nothing is written.</Note>
      )}
    </Section>
  );
}

type Line = RunPlan['lines'][number];
const exportedColumns = [
  { title: 'Supporter', text: ({ email }: Line) => email },
  { title: 'Tenant', text: ({ tenant }: Line) => tenant },
  { title: 'Account', text: ({ maskedAccount }: Line) => maskedAccount },
  { title: 'Usually', text: ({ usualCents }: Line) => (usualCents === null ? '' : dollars(usualCents)) },
  { title: 'Debit', text: ({ cents }: Line) => dollars(cents) },
  { title: 'Different', text: ({ differences }: Line) => differences.join(', ') },
];

function Plan({ date, debits, totalCents, anomalies, tenants, differences, skipped, pastRuns, lines }: RunPlan) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? lines : lines.slice(0, shownAtFirst);
  return (
    <div className={styles.plan}>
      <p className={styles.total}>
        {shortDay(date)}: {counted(debits, 'debit')}, {formatCents(totalCents)}
      </p>
      {anomalies.map((anomaly) => (
        <Notice key={anomaly}>Unusual: {anomaly}. It waits until it is confirmed.</Notice>
      ))}
      <div className={styles.tables}>
        {tenants.length > 0 && (
          <SumTable
            name="By tenant"
            of="Tenant"
            rows={tenants.map(({ tenant, ...sum }) => ({ words: tenant, ...sum }))}
          />
        )}
        {pastRuns.length > 0 && (
          <Fold title="Runs before">
            <SumTable
              name="Runs before"
              of="Run"
              rows={pastRuns.map(({ date: day, ...sum }) => ({ words: shortDay(day), ...sum }))}
            />
          </Fold>
        )}
      </div>
      <Counts name="Different from their usual" counts={differences} inWords={countInWords} />
      <Counts name="Not debited" counts={skipped} inWords={skippedInWords} />
      {lines.length > 0 && <h3 className={styles.heading}>Largest debits</h3>}
      {lines.length > 0 && (
        <table className={styles.lines} aria-label="The largest debits">
          <thead>
            <tr>
              <th scope="col">Supporter</th>
              <th scope="col">Account</th>
              <th scope="col">Usually</th>
              <th scope="col">Debit</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={line.email}>
                <td>
                  <Dotted name={line.email} />
                  <span className={styles.quiet}>
                    {line.tenant}{' '}
                    {line.differences.map((difference) => (
                      <Tag key={difference}>{difference}</Tag>
                    ))}
                  </span>
                </td>
                <td>{line.maskedAccount}</td>
                <td>{line.usualCents !== null && formatCents(line.usualCents)}</td>
                <td>{formatCents(line.cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length > shown.length && (
        <Button look="secondary" onClick={() => setAll(true)}>
          Show the {lines.length} largest
        </Button>
      )}
      {lines.length > 0 && <SaveRows name={`The largest debits ${date}`} columns={exportedColumns} rows={lines} />}
      {shown === lines && debits > lines.length && (
        <Note>and {(debits - lines.length).toLocaleString('en-AU')} smaller ones</Note>
      )}
    </div>
  );
}

type Count = RunPlan['skipped'][number];

/** "48 first debits", "3 from another account", "1,200 below the smallest debit". */
function countInWords({ words, debits }: Count): string {
  if (words === 'first debit') return counted(debits, words);
  return `${debits.toLocaleString('en-AU')} ${words === 'another account' ? 'from another account' : words}`;
}

/** "1 (no funding account)". */
const skippedInWords = ({ words, debits }: Count): string => `${debits.toLocaleString('en-AU')} (${words})`;

interface CountsProps {
  name: string;
  counts: Count[];
  inWords: (count: Count) => string;
}

const Counts = ({ name, counts, inWords }: CountsProps) =>
  counts.length > 0 && (
    <p className={styles.counts}>
      {name}: {counts.map(inWords).join(', ')}
    </p>
  );
