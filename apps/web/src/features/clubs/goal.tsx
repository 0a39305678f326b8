import type { ClubFigures } from '@sparechange/contract';
import { useId } from 'react';
import styles from './goal.module.css';

export const people = (count: number): string => count.toLocaleString('en-AU');
export const dollars = (amount: number): string => `$${people(amount)}`;

/** Shows a club's progress towards its goal, in words and as a bar; nothing for a club without one. */
export function Goal({ figures: { raisedDollars, goalDollars } }: { figures: ClubFigures }) {
  const words = useId();
  if (goalDollars === undefined) return null;
  return (
    <div className={styles.goal}>
      <progress
        className={styles.bar}
        value={Math.min(raisedDollars, goalDollars)}
        max={goalDollars}
        aria-labelledby={words}
      />
      <p id={words}>
        {dollars(raisedDollars)} of our goal of {dollars(goalDollars)}
      </p>
    </div>
  );
}
