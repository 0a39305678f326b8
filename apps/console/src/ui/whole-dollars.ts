import { cents, formatCents } from '@sparechange/domain';

/** Writes whole dollars without cents, as in "$5,000". */
export const wholeDollars = (dollars: number): string => formatCents(cents(dollars * 100)).replace(/\.00$/, '');
