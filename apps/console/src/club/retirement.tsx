import { fullDay, isoDate } from '@sparechange/domain';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import type { ReactNode } from 'react';

interface RetirementProps {
  endsOn: string | null;
  hasEnded: boolean;
  /** The consequence for the page. */
  children?: ReactNode;
}

/** Says from when a club takes no more gifts. */
export function Retirement({ endsOn, hasEnded, children }: RetirementProps) {
  if (endsOn === null) return null;
  const day = fullDay(isoDate(endsOn));
  return (
    <Notice kind="information">
      The club takes no more gifts {hasEnded ? 'since' : 'from'} {day}
      {hasEnded ? '' : ' on'}. {children}
    </Notice>
  );
}
