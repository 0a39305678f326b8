import styles from './skeleton.module.css';

/** Takes the true size of something still loading. */
export const Skeleton = ({ width, height }: { width: number | string; height: number | string }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
);
