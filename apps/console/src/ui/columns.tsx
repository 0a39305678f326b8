import { type Cents, dollars, formatCents, type IsoDate, shortDay } from '@sparechange/domain';
import { instantInWords, momentInWords } from '../words.ts';
import { exportedInstant } from './exported-instant.ts';
import styles from './list.module.css';
import type { Column } from './list.tsx';

interface Place {
  isSecondary?: boolean;
  sort?: string;
}

/** Makes a column of amounts: "$1,234.50", and 1234.50 in exports. */
export const amountColumn = <Row,>(title: string, of: (row: Row) => Cents, place?: Place): Column<Row> => ({
  title,
  text: (row) => dollars(of(row)),
  show: (row) => formatCents(of(row)),
  isAmount: true,
  ...place,
});

const isThisYear = (year: string): boolean => year === String(new Date().getFullYear());

/** Shows words such as "Mon 23 Nov", on a phone without the weekday. */
export function WithWeekday({ words }: { words: string }) {
  const [weekday = '', ...date] = words.split(' ');
  return (
    <>
      <span className={styles.weekday}>{weekday} </span>
      {date.join(' ')}
    </>
  );
}

/** "Mon 23 Nov 2026", on a phone without the weekday, and without the year if it is this one. */
export function Day({ on }: { on: IsoDate }) {
  const year = on.slice(0, 4);
  return (
    <time dateTime={on}>
      <span className={styles.whole}>
        <WithWeekday words={shortDay(on)} />
      </span>
      <span className={isThisYear(year) ? styles.year : undefined}> {year}</span>
    </time>
  );
}

/** Makes a column of days: "Mon 23 Nov 2026" in words, sorted as text in exports. */
export const dayColumn = <Row,>(title: string, of: (row: Row) => IsoDate | null, place?: Place): Column<Row> => ({
  title,
  text: (row) => of(row) ?? '',
  show: (row) => {
    const day = of(row);
    return day && <Day on={day} />;
  },
  isWhole: true,
  ...place,
});

interface InstantPlace extends Place {
  /** Shown where there is none. */
  empty?: string;
  /** Within days of now: shown with weekday, without year. */
  isNear?: boolean;
}

/** Shows an instant within days of now in one line, on a phone without the weekday. */
export function NearInstant({ at }: { at: string }) {
  const [day = '', time = ''] = momentInWords(new Date(at)).split(', ');
  return (
    <time dateTime={at} className={styles.whole}>
      <WithWeekday words={day} />, {time}
    </time>
  );
}

/** Makes a column of instants: "23 Nov 2026, 10:15 am" in words, sorted as text in exports. */
export const instantColumn = <Row,>(
  title: string,
  of: (row: Row) => string | null,
  { empty = '', isNear = false, ...place }: InstantPlace = {},
): Column<Row> => ({
  title,
  text: (row) => {
    const at = of(row);
    return at === null ? empty : exportedInstant(at);
  },
  show: (row) => {
    const at = of(row);
    if (at === null) return empty;
    if (isNear) return <NearInstant at={at} />;
    const [day = '', time = ''] = instantInWords(at).split(', ');
    const year = ` ${new Date(at).getFullYear()}`;
    const hasThisYear = isThisYear(year.trim()) && day.endsWith(year);
    return (
      <time dateTime={at} className={styles.instant}>
        <span className={styles.whole}>
          {hasThisYear ? day.slice(0, -year.length) : day}
          {hasThisYear && <span className={styles.year}>{year}</span>},
        </span>{' '}
        <span className={styles.whole}>{time}</span>
      </time>
    );
  },
  ...place,
});
