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
