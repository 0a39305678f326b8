import { type Cents, formatCents } from '@sparechange/domain';

/** An amount in dollars, never broken over lines, with figures of one width, so that columns of them line up. */
export const Money = ({ amountCents, className = '' }: { amountCents: Cents; className?: string | undefined }) => (
  <span className={className} style={{ flex: 'none', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
    {formatCents(amountCents)}
  </span>
);
