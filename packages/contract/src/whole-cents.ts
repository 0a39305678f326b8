import type { Cents } from '@sparechange/domain';
import { z } from 'zod';

/** An amount sent in whole cents; parsed, it is `Cents`. */
export const wholeCents = z.int() as z.ZodInt & { _zod: { output: Cents } };
