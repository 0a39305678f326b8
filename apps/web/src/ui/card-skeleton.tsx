import styles from './card.module.css';
import { Skeleton } from './skeleton.tsx';

interface CardSkeletonProps {
  /** The heights in px of what it will hold. */
  bars: number[];
  /** The card's height in px, if more than its bars. */
  height?: number;
}

/** A card on its way: its title, and under it a bar for each thing it will hold. */
export const CardSkeleton = ({ bars, height }: CardSkeletonProps) => (
  <div className={styles.card} style={{ minHeight: height, alignContent: 'start' }} role="status">
    <span className="visually-hidden">Loading...</span>
    <Skeleton width="45%" height={32} />
    {bars.map((height, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change
      <Skeleton key={place} width="100%" height={height} />
    ))}
  </div>
);
