import { Link, type LinkProps } from 'react-router';
import styles from './text-link.module.css';

/** A link that stands alone and is as easy to hit as a button. */
export const TextLink = (props: LinkProps) => <Link {...props} className={styles.link} />;

/** The same look for something that opens here instead of leading away. */
export const LinkButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <button type="button" className={styles.link} onClick={onClick}>
    {children}
  </button>
);
