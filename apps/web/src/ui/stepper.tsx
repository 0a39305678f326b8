import { CheckIcon } from './icons.tsx';
import styles from './stepper.module.css';

interface StepperProps {
  steps: readonly string[];
  /** Counted from 0; the number of steps after the last. */
  active: number;
  /** The side on which other screens show further steps. */
  continues?: 'before' | 'after';
}

/**
 * Steps on a line, without numbers: an earlier screen may show one step more before them (docs/decisions/accounts-and-round-ups.md#onboarding-steps). On a narrow screen only the active one spells its name out; a reader hears all of them.
 */
export const Stepper = ({ steps, active, continues }: StepperProps) => (
  <ol className={styles.stepper} aria-label="Steps" data-continues={continues}>
    {steps.map((label, index) => {
      const state = index < active ? 'done' : index === active ? 'active' : 'ahead';
      return (
        <li
          key={label}
          className={styles.step}
          data-state={state}
          aria-current={state === 'active' ? 'step' : undefined}
        >
          <span className={styles.coin} aria-hidden="true">
            {state === 'done' && <CheckIcon size={18} />}
          </span>
          <span className={styles.label}>
            {label}
            {state === 'done' && <span className="visually-hidden"> (done)</span>}
          </span>
        </li>
      );
    })}
  </ol>
);
