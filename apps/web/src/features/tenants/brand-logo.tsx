import { getTenant } from '#tenant/current.ts';
import styles from './brand-logo.module.css';

/** The tenant's logo at its own width; nothing stands beside it that could move. */
export const BrandLogo = () => {
  const { logoURL, name } = getTenant();
  return <img className={styles.logo} src={logoURL} alt={name} width={200} height={40} fetchPriority="high" />;
};

/** The tenant's mark for summary cards. */
export const BrandMark = ({ size = 72 }: { size?: number }) => {
  const { logoURLDashboard, name } = getTenant();
  return <img className={styles.mark} src={logoURLDashboard} alt={name} width={size} height={size} />;
};

/** Coins rounding up to circles, in the colours around them. */
export const Rings = ({ className }: { className?: string | undefined }) => (
  <svg className={className} viewBox="0 0 400 400" fill="none" stroke="var(--tenant-ring, #ffffff)" aria-hidden="true">
    <g strokeWidth="26" strokeLinecap="round">
      <circle cx="230" cy="230" r="150" opacity="0.22" />
      <path d="M230 80a150 150 0 1 1-143 105" opacity="0.42" />
      <circle cx="230" cy="230" r="98" opacity="0.22" />
      <path d="M230 132a98 98 0 1 1-98 98" opacity="0.6" />
      <circle cx="230" cy="230" r="46" opacity="0.8" />
    </g>
  </svg>
);
