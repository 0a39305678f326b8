import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

interface CardProps {
  title: string;
  /** On the title's line, at its end. */
  control?: ReactNode;
  children?: ReactNode;
}

export function Card({ title, control, children }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={titleId}>
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
