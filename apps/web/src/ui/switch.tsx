import MuiSwitch from '@mui/material/Switch';
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
      <MuiSwitch
        id={id}
        checked={isOn}
        onChange={(_, checked) => onChange(checked)}
        slotProps={{ input: { role: 'switch' } }}
        sx={isIdle ? idleLook : switchLook}
      />
    </div>
  );
}

const switchLook = {
  flex: 'none',
  width: 60,
  height: 44,
  padding: '6px 4px',
  overflow: 'hidden',
  '& .MuiSwitch-switchBase': {
    padding: '10px 8px',
    transition: 'transform 160ms',
    '&.Mui-checked': { transform: 'translateX(20px)' },
    '&.Mui-checked + .MuiSwitch-track': {
      opacity: 1,
      backgroundColor: 'var(--tenant-switch)',
      borderColor: 'var(--tenant-switch-edge)',
    },
    '&.Mui-checked .MuiSwitch-thumb': { borderColor: 'var(--tenant-switch-edge)' },
    '&.Mui-focusVisible + .MuiSwitch-track': { outline: '3px solid var(--primary-ink)', outlineOffset: '1px' },
    '&:hover, &.Mui-checked:hover': { backgroundColor: 'transparent' },
  },
  '& .MuiSwitch-thumb': {
    width: 24,
    height: 24,
    backgroundColor: '#ffffff',
    border: '2px solid var(--edge)',
    boxShadow: '0 1px 2px rgb(16 20 21 / 20%)',
  },
  '& .MuiSwitch-track': {
    borderRadius: '16px',
    border: '2px solid var(--edge)',
    backgroundColor: '#dfe4e6',
    opacity: 1,
    transition: 'background-color 160ms, border-color 160ms',
  },
} as const;

/** As the switch of what is off, though it stands where it was switched to. */
const idleLook = {
  ...switchLook,
  '& .MuiSwitch-switchBase': {
    ...switchLook['& .MuiSwitch-switchBase'],
    '&.Mui-checked + .MuiSwitch-track': { opacity: 1, backgroundColor: '#dfe4e6', borderColor: 'var(--edge)' },
    '&.Mui-checked .MuiSwitch-thumb': { borderColor: 'var(--edge)' },
  },
} as const;
