import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';

/** Links to another screen as this screen's main action. */
export const ButtonLink = (props: LinkProps) => (
  <Link {...props} className={`${styles.button} ${styles.primary} ${styles.link}`} />
);
