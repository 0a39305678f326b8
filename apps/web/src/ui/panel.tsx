import type { ReactNode } from 'react';
import styles from './card.module.css';
import { slides } from './slides.ts';

/** A card headed by a control; `label` names its region. */
export const Panel = ({ label, children }: { label: string; children: ReactNode }) => (
  <section ref={slides} className={styles.card} aria-label={label}>
    {children}
  </section>
);
