import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A card whose heading is a control in it; the label names the region. */
export const Panel = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={styles.card} aria-label={label}>
    {children}
  </section>
);
