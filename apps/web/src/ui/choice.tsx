import { useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends number | string> {
  legend: string;
  options: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  columns?: 1 | 2 | 3;
}

/** Offers a few values; the chosen one has a 24 px icon. */
export function Choice<Value extends number | string>({
  legend,
  options,
  value,
  onChange,
  columns = 3,
}: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div>
      <p id={id} className={styles.legend}>
        {legend}
      </p>
      <div role="radiogroup" aria-labelledby={id} className={styles.options} data-columns={columns}>
        {options.map((option) => (
          <label
            key={option.value}
            htmlFor={`${id}-${option.value}`}
            className={styles.option}
            data-checked={option.value === value}
          >
            <input
              id={`${id}-${option.value}`}
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className={styles.icon}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
