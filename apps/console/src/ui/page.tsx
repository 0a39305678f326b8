import { Spinner } from '@sparechange/web/ui/spinner.tsx';
import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageFrameProps {
  title: string;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The page's own acts, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its title, acts and content. */
export const PageFrame = ({ title, lead, actions, children }: PageFrameProps) => (
  <div className={styles.page}>
    <header className={styles.head}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions && (
        <div className={styles.actions} data-screen-only>
          {actions}
        </div>
      )}
    </header>
    {children}
  </div>
);

export const Loading = () => (
  <p role="status" className={styles.loading}>
    <Spinner /> Loading...
  </p>
);

/** A quieter sentence beside a page's content. */
export const Note = ({ children }: { children: ReactNode }) => <p className={styles.note}>{children}</p>;

/** A part of a page under a heading. */
export const Section = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <div className={styles.sectionHead}>
      <h2 className={styles.sectionTitle}>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

/** A part of a page that its title opens. */
export const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details>
    <summary className={styles.fold}>{title}</summary>
    {children}
  </details>
);

/** Words that stand for a state. */
export const Tag = ({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'bad'; children: ReactNode }) => (
  <span className={styles.tag} data-tone={tone}>
    {children}
  </span>
);

interface PairsProps {
  /** Lays them out. */
  className: string | undefined;
  rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names with their values. */
export const Pairs = ({ className, rows }: PairsProps) => (
  <dl className={className}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
