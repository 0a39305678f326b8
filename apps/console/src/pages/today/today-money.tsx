import { listPayments, type Money } from '@sparechange/contract/console';
import { type Cents, formatCents, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Fold, Note, Section } from '../../ui/page.tsx';
import { See } from '../parts/see.tsx';
import styles from './money.module.css';

/** Shows the money of the month in three figures, and of six weeks as bars. */
export function MoneyMoved({ money: { month, weeks, returned, silentServers } }: { money: Money }) {
  return (
    <Section
      title="Money this month"
      actions={
        <See page={`/payments?state=cleared&from=${month.from}&to=${month.to}`} needs={listPayments}>
          See payments
        </See>
      }
    >
      <dl className={styles.figures}>
        <Figure name="Collected" cents={month.collectedCents} of="Cleared debits and donations" />
        <Figure name="Paid out" cents={month.paidOutCents} of="To clubs, savers and payers" />
        <Figure name="Difference" cents={month.heldCents} of={differenceInWords(month)} />
      </dl>
      <Weeks weeks={weeks} />
      <Note>{returnedInWords(returned)}</Note>
      {silentServers.length > 0 && <Note>Supporters of a server that does not answer are left out.</Note>}
    </Section>
  );
}

const Figure = ({ name, cents, of }: { name: string; cents: Cents; of: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong>{formatCents(cents)}</strong>
      <span>{of}</span>
    </dd>
  </div>
);

/** A negative difference is usual: what was collected late in one month is paid out in the next. */
const differenceInWords = ({ heldCents }: Money['month']): string =>
  heldCents < 0 ? 'Paid out from earlier months’ debits' : 'Collected, less paid out';

/** "Returned in six weeks: 0.8%, 3 of 371 debits, $12.40". */
export function returnedInWords({ debits, cents, ofDebits }: Money['returned']): string {
  if (ofDebits === 0) return 'No debit has cleared or been returned in the last six weeks.';
  if (debits === 0) return `None of ${counted(ofDebits, 'debit')} came back in the last six weeks.`;
  const rate = (debits / ofDebits).toLocaleString('en-AU', { style: 'percent', maximumFractionDigits: 1 });
  return `Returned in six weeks: ${rate}, ${debits.toLocaleString('en-AU')} of ${counted(ofDebits, 'debit')}, ${formatCents(cents)}.`;
}

const height = 112;
const ways = [
  { field: 'collectedCents', name: 'Collected' },
  { field: 'paidOutCents', name: 'Paid out' },
] as const;

/** Two bars a week, with the same figures as a table. */
function Weeks({ weeks }: Pick<Money, 'weeks'>) {
  const most = Math.max(1, ...weeks.flatMap((week) => ways.map(({ field }) => week[field])));
  const across = (place: number) => `${(100 * place) / weeks.length}%`;
  return (
    <div>
      <p className={styles.legend} aria-hidden="true">
        {ways.map(({ field, name }) => (
          <span key={field} data-way={field}>
            {name}
          </span>
        ))}
      </p>
      <svg className={styles.chart} width="100%" height={height + 24} aria-hidden="true">
        <line x1="0" x2="100%" y1={height} y2={height} />
        {weeks.map((week, at) => (
          <g key={week.from}>
            {ways.map(({ field }, place) => {
              const tall = Math.max(week[field] > 0 ? 2 : 0, (height * week[field]) / most);
              return (
                <rect
                  key={field}
                  data-way={field}
                  x={across(at + 0.16 + 0.35 * place)}
                  width={across(0.33)}
                  y={height - tall}
                  height={tall}
                  rx="3"
                />
              );
            })}
            <text x={across(at + 0.5)} y={height + 18} textAnchor="middle">
              {at === weeks.length - 1 ? 'Now' : shortDay(week.from).slice(4)}
            </text>
          </g>
        ))}
      </svg>
      <Fold title="Six weeks as a table">
        <table className={styles.table} aria-label="Six weeks">
          <thead>
            <tr>
              <th scope="col">Week from</th>
              {ways.map(({ field, name }) => (
                <th key={field} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map((week) => (
              <tr key={week.from}>
                <th scope="row">{shortDay(week.from)}</th>
                {ways.map(({ field }) => (
                  <td key={field}>{formatCents(week[field])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </div>
  );
}
