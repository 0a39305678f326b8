import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** Things below one another with the same air between them. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;
