import type { Cents } from '@sparechange/domain';
import { z } from 'zod';

/** An amount on the wire in whole cents; `Cents` once parsed. */
export const wholeCents = z.int() as z.ZodInt & { _zod: { output: Cents } };
