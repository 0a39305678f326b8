import { Spinner } from './spinner.tsx';
import styles from './waiting.module.css';

/** A screen that is on its way. The ring appears only when it takes long enough to be noticed. */
export const Waiting = () => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <span className="visually-hidden">Loading...</span>
  </div>
);
