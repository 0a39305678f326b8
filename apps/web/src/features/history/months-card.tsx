import { type Cents, donationBars, monthYear, parseMonthYear } from '@sparechange/domain';
import { Card } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import styles from './months-card.module.css';

/** Lists donations by month, with bars beside the spoken amounts. */
export default function MonthsCard({ months }: { months: { monthYear: string; totalDebitAmount: Cents }[] }) {
  const bars = donationBars(
    months.flatMap(({ monthYear: name, totalDebitAmount }) => {
      const month = parseMonthYear(name);
      return month ? [{ month, cents: totalDebitAmount }] : [];
    }),
  );
  return (
    <Card title="Month by Month">
      <ul className={styles.months}>
        {bars.map(({ month, cents: given, share }) => (
          <li key={month}>
            <span>{monthYear(month)}</span>{' '}
            <span className={styles.track} aria-hidden="true">
              {given > 0 && <span className={styles.bar} style={{ width: `${share * 100}%` }} />}
            </span>
            <Money amountCents={given} className={styles.amount} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
