import { isoDate } from '@sparechange/domain';
import { z } from 'zod';

/** A day that PostgreSQL and our calendar hold. */
export const day = z.iso
  .date()
  .refine((written) => written >= '2000-01-01' && written < '2200-01-01', 'Please choose a day of this century')
  .transform(isoDate);
