import { z } from 'zod';

/** A file that the browser saves. */
export const FileAnswer = z.object({
  name: z.string(),
  mediaType: z.string(),
  content: z.base64(),
});
export type FileAnswer = z.infer<typeof FileAnswer>;
