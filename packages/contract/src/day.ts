import { isoDate } from '@sparechange/domain';
import { z } from 'zod';

const within = (first: string, words: string) =>
  z.iso
    .date('Please choose a day')
    .max(10)
    .refine((written) => written >= first && written < '2200-01-01', words);

/** A day that PostgreSQL and our calendar hold, as it is written; some of clubs and brands are of the last century. */
export const writtenDay = within('1900-01-01', 'Please choose a day from 1900 on');

/** A day on which the product does something, or did. */
export const day = within('2000-01-01', 'Please choose a day of this century').transform(isoDate);
