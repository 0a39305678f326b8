import { getTenant } from '#tenant/current.ts';
import styles from './brand-logo.module.css';

/** The tenant's logo, boxed to size so that nothing moves. */
export const BrandLogo = () => {
  const { logoURL, name } = getTenant();
  return <img className={styles.logo} src={logoURL} alt={name} width={200} height={40} fetchPriority="high" />;
};

/** The tenant's mark for summary cards. */
export const BrandMark = ({ size = 72 }: { size?: number }) => {
  const { logoURLDashboard, name } = getTenant();
  return <img className={styles.mark} src={logoURLDashboard} alt={name} width={size} height={size} />;
};
