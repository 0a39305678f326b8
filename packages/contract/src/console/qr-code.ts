import { z } from 'zod';

export const QrCode = z.object({
  size: z.int().describe('modules of a side, the white around it included'),
  path: z.string().describe('the dark modules as the path of an SVG'),
});
export type QrCode = z.infer<typeof QrCode>;
