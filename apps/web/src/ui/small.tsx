import type { ReactNode } from 'react';
import styles from './small.module.css';

/** A quiet line of small print with its links. */
export const Small = ({ children }: { children: ReactNode }) => <p className={styles.small}>{children}</p>;
