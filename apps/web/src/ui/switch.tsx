import { type ReactNode, useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: ReactNode;
  /** The switch's name, where the label says only its state. */
  name?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Heads a card or its part, or is a line. */
  look?: 'heading' | 'part' | 'line';
  /** True when on without effect, and coloured as waiting. */
  isIdle?: boolean;
}

/** Words on the left, the switch right; the line switches. */
export function Switch({ label, name, isOn, onChange, look = 'line', isIdle = false }: SwitchProps) {
  const id = useId();
  const Words = look === 'line' ? 'div' : 'h2';
  return (
    <div className={styles.line}>
      <Words className={look === 'heading' ? styles.heading : styles.label}>
        <label htmlFor={id}>
          {name && <span className="visually-hidden">{name}</span>} {label}
        </label>
      </Words>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className={styles.switch}
        data-idle={isIdle}
      />
    </div>
  );
}
