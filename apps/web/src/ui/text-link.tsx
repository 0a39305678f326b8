import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from './link.tsx';
import styles from './text-link.module.css';

/** A standalone link, as easy to press as a button. */
export const TextLink = (props: LinkProps) => <Link {...props} className={styles.link} />;

/** Looks like a link but opens something on this screen. */
export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className={styles.link} />
);

/** A quiet line of small print with its links. */
export const Small = ({ children }: { children: ReactNode }) => <p className={styles.small}>{children}</p>;
