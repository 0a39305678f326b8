import { useId } from 'react';
import styles from './filters.module.css';

interface SelectFieldProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string }[];
}

/** A choice of a form, which reads it by its name; of a filter, see Select. */
export function SelectField({ label, name, options }: SelectFieldProps) {
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
