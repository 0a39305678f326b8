import styles from './card.module.css';
import { Skeleton } from './skeleton.tsx';

export const CardSkeleton = ({ height }: { height: number }) => (
  <div className={styles.card} style={{ minHeight: height, alignContent: 'start' }} role="status">
    <span className="visually-hidden">Loading...</span>
    <Skeleton width="55%" height={22} />
    <Skeleton width="100%" height={48} />
  </div>
);
