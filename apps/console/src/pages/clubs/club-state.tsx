import type { ClubState } from '@sparechange/contract/console';
import { isoDate, longDay } from '@sparechange/domain';
import { Tag } from '../../ui/page.tsx';

export const clubStateNames: Record<ClubState, string> = {
  active: 'Accepting gifts',
  ended: 'Ended',
  without_account: 'No bank details',
  account_changing: 'Bank details changing',
};

interface ClubEnd {
  endsOn: string | null;
  hasEnded: boolean;
}

export const endInWords = ({ endsOn, hasEnded }: ClubEnd): string => {
  if (endsOn === null) return clubStateNames.active;
  return hasEnded ? `Ended ${longDay(isoDate(endsOn))}` : `Ends ${longDay(isoDate(endsOn))}`;
};

export const ClubEndTag = (end: ClubEnd) => <Tag tone={end.hasEnded ? 'plain' : 'good'}>{endInWords(end)}</Tag>;

/** Returns the number of a club's supporters; fewer than five are shown only to the organisation. */
export const supportersInWords = (supporters: number | null): string => String(supporters ?? 'Fewer than 5');

/** Writes an ABN of 11 digits in groups, "51 824 753 556". */
export const formatAbn = (abn: string): string => abn.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4');
