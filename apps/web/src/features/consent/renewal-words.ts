import { isoDate, longDay } from '@sparechange/domain';

interface Ends {
  endsOn: string | null;
  bankEndsOn: string | null;
}

const inWords = (day: string | null): string => (day ? longDay(isoDate(day)) : 'then');

/** The words between and after a renewal's two steps. */
export const notYetRenewed = ({ endsOn }: Ends): string =>
  `Your consent still ends on ${inWords(endsOn)}. Renew before then and you won't miss a round-up.`;

export const oneMoreStep = ({ endsOn, bankEndsOn }: Ends): string =>
  `Your consent lasts until ${inWords(endsOn)}. Your bank has a permission of its own${bankEndsOn ? `, until ${inWords(bankEndsOn)}` : ''}: confirm it there and you won't miss a round-up.`;

export const renewed = ({ endsOn }: Ends): string =>
  `Your consent lasts until ${inWords(endsOn)}, and your bank keeps sharing. There is nothing more to do.`;
