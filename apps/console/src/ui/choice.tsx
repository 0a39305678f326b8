import { useId } from 'react';
import styles from './filters.module.css';

interface ChoiceProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
}

/** One of some choices, read from the form by its name. */
export function Choice({ label, name, options }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
