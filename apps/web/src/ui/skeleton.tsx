import styles from './skeleton.module.css';

/** A stand-in of the true size while something is on its way. */
export const Skeleton = ({ width, height }: { width: number | string; height: number | string }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
);
