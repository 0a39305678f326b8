import styles from './spinner.module.css';

/** A turning ring, beside words that say why. */
export const Spinner = ({ className = '', size = 20 }: { className?: string | undefined; size?: number }) => (
  <svg className={`${styles.spinner} ${className}`} width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
    <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2.5" />
    <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
  </svg>
);
