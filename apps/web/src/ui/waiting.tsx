import type { ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import styles from './waiting.module.css';

/** Something that is on its way. The ring appears only when it takes long enough to be seen. */
export const Waiting = () => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <span className="visually-hidden">Loading...</span>
  </div>
);

/** A screen that is on its way: a page of its own, with a place to be and a name for readers. */
export const WaitingPage = () => (
  <main>
    <h1 className="visually-hidden">Loading...</h1>
    <Waiting />
  </main>
);

/** A few words in the middle of an empty page. */
export const Centred = ({ children }: { children: ReactNode }) => <main className={styles.centred}>{children}</main>;
