import type { ComponentProps, ReactNode } from 'react';
import { Form } from '../ui/form.tsx';
import styles from './entry.module.css';

/** A page before the console: one card in the middle. */
export const Entry = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={styles.page}>
    <section className={styles.card}>
      <p className={styles.product}>Sparechange console</p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </section>
  </main>
);

/** Two ways, one above the other. */
export const Or = () => (
  <p className={styles.or}>
    <span>or</span>
  </p>
);

export const EntryForm = (form: Omit<ComponentProps<typeof Form>, 'className'>) => (
  <Form className={styles.form} {...form} />
);

export const Quiet = ({ children }: { children: ReactNode }) => <p className={styles.quiet}>{children}</p>;

export const LinkLike = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={styles.linkLike} onClick={onClick}>
    {children}
  </button>
);
