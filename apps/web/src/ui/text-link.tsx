import { Link, type LinkProps } from 'react-router';
import styles from './text-link.module.css';

/** A link that stands alone and is as easy to hit as a button. */
export const TextLink = (props: LinkProps) => <Link {...props} className={styles.link} />;

/** Looks like a link and opens something here instead of leading away. */
export const LinkButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <button type="button" className={styles.link} onClick={onClick}>
    {children}
  </button>
);
