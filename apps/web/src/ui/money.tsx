import { cents, formatCents } from '@sparechange/domain';

/** An amount in dollars with figures of one width, so that columns of them line up. */
export const Money = ({ amountCents, className = '' }: { amountCents: number; className?: string | undefined }) => (
  <span className={className} style={{ fontVariantNumeric: 'tabular-nums' }}>
    {formatCents(cents(amountCents))}
  </span>
);
