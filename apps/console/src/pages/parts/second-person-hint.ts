import { formatCents, maxWithoutSecondPerson } from '@sparechange/domain';

const limit = formatCents(maxWithoutSecondPerson).replace('.00', '');

/** Words the hint of an amount that may need a second person; the limit holds for each debit, day or club. */
export const secondPersonHint = (each: string) =>
  `Over ${limit} for one ${each} needs a second person if approvals are on.`;
