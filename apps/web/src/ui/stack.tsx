import type { ReactNode } from 'react';
import { slides } from './slides.ts';
import styles from './stack.module.css';

/** Things below one another with the same air between them. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <div ref={slides} className={styles.stack}>
    {children}
  </div>
);
