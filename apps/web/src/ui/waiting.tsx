import type { ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import styles from './waiting.module.css';

/** A placeholder while loading. The ring appears only if loading takes long enough to notice. */
export const Waiting = () => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <span className="visually-hidden">Loading...</span>
  </div>
);

/** A loading screen: a page of its own, with a name for screen readers. */
export const WaitingPage = () => (
  <main>
    <h1 className="visually-hidden">Loading...</h1>
    <Waiting />
  </main>
);

/** A few words in the middle of an empty page. */
export const Centred = ({ children }: { children: ReactNode }) => <main className={styles.centred}>{children}</main>;
