import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';

/** Leads to another screen and is the one thing to do on this one. */
export const ButtonLink = (props: LinkProps) => (
  <Link {...props} className={`${styles.button} ${styles.primary} ${styles.link}`} />
);
