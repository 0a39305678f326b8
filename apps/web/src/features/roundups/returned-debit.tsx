import type { UserRecord } from '@sparechange/contract';
import { formatCents, isoDate, shortDay } from '@sparechange/domain';
import { TextLink } from '#ui/text-link.tsx';
import styles from './round-ups-card.module.css';

type Returned = NonNullable<UserRecord['returnedDebit']>;

type Named = Pick<Returned, 'amountCents' | 'date'>;

/** Names a debit that the bank returned, as "the $3.42 debit of Mon 23 Nov". */
export const returnedDebitName = ({ amountCents, date }: Named, what = 'debit') =>
  `the ${formatCents(amountCents)} ${what} of ${shortDay(isoDate(date))}`;

/** The next step, in the words of the email about it. */
const nextWords: Record<Exclude<Returned['next'], 'choose_account'>, string> = {
  next_debit: '. We ask once more with your next debit: having enough in the account on that day is all it takes.',
  two_returns:
    ', the second in a row, so we have paused your round-ups. What is still open goes with the first debit after you turn them on again.',
  resume: '. It goes with the first debit after you turn your round-ups on again.',
  renew: '. It is not asked for again unless you renew your bank connection.',
};

/** Names the debit that the bank returned and the next step; the card itself asks for another account. */
export function ReturnedDebit({ debit }: { debit: Returned }) {
  const { next } = debit;
  if (next === 'choose_account') return null;
  return (
    <p className={styles.until}>
      Your bank returned {returnedDebitName(debit)}
      {nextWords[next]} <TextLink to="/history">Look at your history</TextLink>
    </p>
  );
}

/**
 * Says that the bank took back a debit after it had cleared: nothing else on the dashboard explains the smaller total.
 */
export function TakenBackDebit({ debit }: { debit: Named }) {
  return (
    <p className={styles.until}>
      Your bank took back {returnedDebitName(debit)}, which had already reached us. We do not ask for it again.{' '}
      <TextLink to="/history">Look at your history</TextLink>
    </p>
  );
}
