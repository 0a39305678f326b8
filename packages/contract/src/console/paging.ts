import { z } from 'zod';
import { text } from '../text.ts';

/** Rows of a page of a list by default, and at most: an export asks for that many. */
export const rowsPerPage = 50;
export const maxRows = 1_000;

/** Input of every list: where the previous page ended, and how many rows are wanted. */
export const Paged = z.object({
  after: text(300).optional().describe('the `next` of the previous page'),
  limit: z.coerce.number().int().min(1).max(maxRows).default(rowsPerPage),
});

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    rows: z.array(row),
    next: z.string().nullable().describe('null on the last page'),
  });

/** A page of a list over all buckets. */
export const pageOverServers = <Row extends z.ZodType>(row: Row) =>
  pageOf(row).extend({
    silentServers: z.array(z.string()).describe('nodes of a Citus cluster whose rows are left out'),
  });
