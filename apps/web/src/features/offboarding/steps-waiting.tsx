import { offboardingSteps } from '@sparechange/domain/offboarding';
import { Skeleton } from '#ui/card.tsx';
import styles from './offboarding-actions.module.css';

/** The height of all steps, loaded or not: the terms below them do not move. */
export const stepsHeight = `calc(${offboardingSteps.length} * var(--row))`;

export const StepsWaiting = () => (
  <div role="status">
    <span className="visually-hidden">Loading...</span>
    <ul className={styles.steps} aria-hidden="true">
      {offboardingSteps.map((step) => (
        <li key={step}>
          <Skeleton width="40%" height={16} />
          <Skeleton width={128} height={48} />
        </li>
      ))}
    </ul>
  </div>
);
