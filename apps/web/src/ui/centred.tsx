import type { ReactNode } from 'react';
import styles from './centred.module.css';

/** A few words in the middle of an empty page. */
export const Centred = ({ children }: { children: ReactNode }) => <main className={styles.centred}>{children}</main>;
