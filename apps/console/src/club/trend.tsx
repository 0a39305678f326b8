import type { PeriodFigure } from '@sparechange/contract/console';
import { cents, formatCents, type IsoDate, monthYear, noCents, periodInWords, shortDay } from '@sparechange/domain';
import { type CSSProperties, useState } from 'react';
import { useFilter } from '#api/use-list.ts';
import { Section } from '../ui/page.tsx';
import styles from './trend.module.css';

const units = {
  months: {
    one: 'Month',
    many: 'Months',
    name: (day: IsoDate) => periodInWords({ kind: 'month', firstDay: day }),
    label: (day: IsoDate) => monthYear(day).slice(0, 3),
    labelEvery: 2,
  },
  weeks: {
    one: 'Week',
    many: 'Weeks',
    name: (day: IsoDate) => `Week from ${shortDay(day)}`,
    label: (day: IsoDate) => shortDay(day).slice(4),
    labelEvery: 4,
  },
} as const;

/** Returns the round amount at the top of the chart: a figure and zeros. */
function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 100)));
  return [1, 2, 3, 4, 6, 8, 10].map((times) => times * power).find((top) => top >= most) ?? most;
}

/** Fewer bars would each be as wide as a card. */
const fewestBars = 6;

/** Leaves out the empty periods before the club's first figure. */
export function sinceFirst(periods: PeriodFigure[]): PeriodFigure[] {
  const first = periods.findIndex(({ cents: amount }) => amount !== 0);
  return first < 0 ? periods : periods.slice(Math.max(0, Math.min(first, periods.length - fewestBars)));
}

/** Months or weeks as bars. A slider of the browser lies over them, so that finger, keyboard and screen reader reach each. */
export function Trend(periods: { months: PeriodFigure[]; weeks: PeriodFigure[] }) {
  const { filter, setFilter } = useFilter('by');
  const by = filter.by === 'weeks' ? 'weeks' : 'months';
  const { one, name } = units[by];
  const shown = sinceFirst(periods[by]);
  return (
    <Section
      title="What was raised"
      actions={
        <div className={styles.units}>
          {(['months', 'weeks'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={each === by} onClick={() => setFilter('by', each)}>
              {units[each].many}
            </button>
          ))}
        </div>
      }
    >
      <Chart key={by} by={by} periods={shown} />
      <details className={styles.table}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{one}</th>
              <th scope="col">Raised</th>
            </tr>
          </thead>
          <tbody>
            {shown.toReversed().map(({ from, cents: amount }) => (
              <tr key={from}>
                <th scope="row">{name(from)}</th>
                <td>{formatCents(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  );
}

function Chart({ by, periods }: { by: keyof typeof units; periods: PeriodFigure[] }) {
  const { one, name, label, labelEvery } = units[by];
  const last = periods.length - 1;
  const [at, setAt] = useState(last);
  const top = topOf(Math.max(...periods.map((period) => period.cents)));
  const chosen = periods[at];
  const isLast = at === last;
  const chosenName = chosen && `${name(chosen.from)}${isLast ? ', so far' : ''}`;
  const across = (place: number) => `${(100 * place) / periods.length}%`;
  return (
    <div className={styles.chart}>
      <p className={styles.chosen}>
        <strong>{formatCents(chosen?.cents ?? noCents)}</strong> {chosenName}
      </p>
      <div className={styles.plot}>
        <svg width="100%" height="200" aria-hidden="true">
          {[1, 0.5, 0].map((share) => (
            <g key={share} className={styles.grid}>
              <line x1="0" x2="100%" y1={176 - 152 * share} y2={176 - 152 * share} />
              <text x="-8" y={180 - 152 * share} textAnchor="end">
                {formatCents(cents(top * share)).replace('.00', '')}
              </text>
            </g>
          ))}
          {periods.map(({ from, cents: amount }, index) => {
            const height = (152 * Math.max(amount, 0)) / top;
            return (
              <g key={from} className={index === at ? styles.current : styles.bar}>
                <rect x={across(index + 0.18)} width={across(0.64)} y={176 - height} height={height} rx="3" />
                {(last - index) % labelEvery === 0 && (
                  <text x={across(index + 0.5)} y="194" textAnchor="middle">
                    {label(from)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={one}
          style={{ '--bars': periods.length } as CSSProperties}
          aria-valuetext={`${chosenName}: ${formatCents(chosen?.cents ?? noCents)}`}
          onChange={(event) => setAt(event.target.valueAsNumber)}
          onPointerMove={({ nativeEvent, currentTarget }) =>
            setAt(
              Math.max(
                0,
                Math.min(last, Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * periods.length)),
              ),
            )
          }
        />
      </div>
    </div>
  );
}
