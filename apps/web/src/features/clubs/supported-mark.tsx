import { useQuery } from '@tanstack/react-query';
import { BrandMark } from '#features/tenants/brand-logo.tsx';
import { getTenant } from '#tenant/current.ts';
import { ClubMark } from './club-mark.tsx';
import { clubQuery } from './clubs-query.ts';
import styles from './supported-mark.module.css';

interface SupportedMarkProps {
  /** Undefined while loading, null if unavailable. */
  clubId: string | null | undefined;
}

/**
 * Shows the supported club's own mark with the brand's in its corner. The brand's stands alone where the club is the
 * brand's, or cannot be loaded; a plain plate of its size stands in for a club not yet known.
 */
export function SupportedMark({ clubId }: SupportedMarkProps) {
  const { data: club, isError } = useQuery({ ...clubQuery(clubId ?? ''), enabled: Boolean(clubId) });
  const { clubID, parentClubId } = getTenant();
  const isOfBrand = clubID !== undefined && !parentClubId && (clubId === undefined || clubId === clubID);
  if (isOfBrand || clubId === null || (isError && !club)) return <BrandMark />;
  if (!club) return <span className={styles.plate} />;
  return (
    <span className={styles.both}>
      <ClubMark logoURL={club.logoURL ?? null} name={club.name} size={72} />
      <span className={styles.brand}>
        <BrandMark size={28} />
      </span>
    </span>
  );
}
