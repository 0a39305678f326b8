import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { slides } from './slides.ts';

interface CardProps {
  title: string;
  /** On the title's line, at its end. */
  control?: ReactNode;
  children?: ReactNode;
}

export function Card({ title, control, children }: CardProps) {
  const titleId = useId();
  return (
    <section ref={slides} className={styles.card} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {control}
      </div>
      {children}
    </section>
  );
}

/** A card headed by a control; `label` names its region. */
export const Panel = ({ label, children }: { label: string; children: ReactNode }) => (
  <section ref={slides} className={styles.card} aria-label={label}>
    {children}
  </section>
);

/** Elements stacked with equal spacing. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <div ref={slides} className={styles.stack}>
    {children}
  </div>
);

/** Takes the final size of something still loading. */
export const Skeleton = ({ width, height }: { width: number | string; height: number | string }) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
);

interface CardSkeletonProps {
  /** The heights in px of its future contents. */
  bars: number[];
  /** The card's height in px, if more than its bars. */
  height?: number;
}

/** A loading card: its title, and a bar for each part to come. */
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
