import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';
import { wholeCents } from './whole-cents.ts';

const cdrid = z.uuid();
const path = '/client/round-up/user';
const kind = z.enum(['month', 'year']).describe('a receipt of a month, or a statement of a financial year');

/** A paper there is for a supporter. */
export const Receipt = z.object({
  kind,
  firstDay: z.iso.date().describe('of the period'),
  lastDay: z.iso.date(),
  totalCents: wholeCents.describe('what the clubs got of what cleared in the period, less what was taken back in it'),
  number: z.string().nullable().describe('null until it is downloaded for the first time'),
});
export type Receipt = z.infer<typeof Receipt>;

/** Names a paper by its period. */
export const ReceiptOf = z.object({
  kind,
  firstDay: text(10)
    .regex(/^20\d\d-(0[1-9]|1[0-2])-01$/)
    .describe('the first day of the period'),
});

export const listReceipts = operation({
  name: 'listReceipts',
  method: 'POST',
  path: `${path}/receipts`,
  access: 'supporter',
  summary:
    'Receipts and statements of periods that are over, newest first (docs/decisions/receipts-and-history.md#receipts).',
  readsOnly: true,
  input: z.object({ cdrid }),
  output: z.object({ receipts: z.array(Receipt) }),
});

export const downloadReceipt = operation({
  name: 'downloadReceipt',
  method: 'POST',
  path: `${path}/receipt`,
  access: 'supporter',
  summary: 'A receipt or statement as a PDF: issued the first time, byte for byte the same ever after.',
  refusals: { 404: 'there is no receipt for that period, or not yet' },
  input: ReceiptOf.extend({ cdrid }),
  output: z.object({
    number: z.string(),
    fileName: z.string(),
    pdf: z.string().describe('base64'),
    sha256: z.string().describe('of the bytes, hexadecimal'),
  }),
});
