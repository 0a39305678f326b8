import styles from './club-mark.module.css';

interface ClubMarkProps {
  logoURL: string | null;
  name: string;
  size: 40 | 72;
}

/** A club's mark, or its first letter; its name stands beside it. */
export const ClubMark = ({ logoURL, name, size }: ClubMarkProps) =>
  logoURL ? (
    <img
      className={styles.mark}
      src={logoURL}
      alt=""
      width={size}
      height={size}
      loading={size === 40 ? 'lazy' : 'eager'}
    />
  ) : (
    <span className={`${styles.mark} ${size === 40 ? styles.small : styles.large}`} aria-hidden="true">
      {name.slice(0, 1)}
    </span>
  );
