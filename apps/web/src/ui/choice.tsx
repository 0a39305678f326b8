import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends number> {
  legend: string;
  options: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** A few amounts side by side, one of them chosen. The checked icon is 24 px. */
export function Choice<Value extends number>({ legend, options, value, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <div>
      <p id={id} className={styles.legend}>
        {legend}
      </p>
      <RadioGroup row aria-labelledby={id} value={value ?? null} className={styles.options}>
        {options.map((option) => (
          <label
            key={option.value}
            htmlFor={`${id}-${option.value}`}
            className={styles.option}
            data-checked={option.value === value}
          >
            <Radio
              id={`${id}-${option.value}`}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              icon={<span className={styles.icon} />}
              checkedIcon={<span className={`${styles.icon} ${styles.checked}`} />}
              sx={{ padding: 0 }}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </RadioGroup>
    </div>
  );
}
