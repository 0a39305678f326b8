import { z } from 'zod';

export const webAddress = z.url({ protocol: /^https?$/ });

export const callsPerSecond = z.coerce
  .number()
  .int()
  .min(1)
  .max(10_000)
  .optional()
  .describe('The most calls a second of all processes together; unset, no limit.');
