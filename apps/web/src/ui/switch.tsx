import { type ReactNode, useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: ReactNode;
  /** The name of what is switched, where the words beside it say only its state. */
  name?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** As the heading of a card, of a part of it, or as a line within it. */
  look?: 'heading' | 'part' | 'line';
  /** It is on, and yet nothing can happen: it does not show the colour of what works. */
  isIdle?: boolean;
}

/** Words on the left, the switch on the right; the whole line switches. */
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
