import type { NextDebit } from '@sparechange/contract';
import { historyDescription, isoDate, noCents, parseDollars, shortDay } from '@sparechange/domain';
import { Money } from '#ui/money.tsx';
import styles from './next-debit-modal.module.css';

/** Lists the purchases of the next debit, newest first. */
export function Purchases({ purchases }: Pick<NextDebit, 'purchases'>) {
  if (purchases.length === 0) return <p>No round-ups yet. They appear here a day or so after a purchase.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard
    <section className={styles.purchases} aria-label="Purchases" tabIndex={0}>
      <ul>
        {purchases.map(({ date, description, amount, roundUpCents }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two equal purchases of one day differ in nothing else
          <li key={`${date} ${description} ${index}`}>
            <span className={styles.purchase}>
              {historyDescription(description)}
              <small>
                {shortDay(isoDate(date))}, <Money amountCents={parseDollars(amount) ?? noCents} />
              </small>
            </span>
            <Money amountCents={roundUpCents} />
          </li>
        ))}
      </ul>
    </section>
  );
}
