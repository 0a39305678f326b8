import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOf } from './paging.ts';
import type { Role } from './roles.ts';

const instant = z.iso.datetime();
const readers: readonly Role[] = ['owner', 'finance', 'viewer'];
const workers: readonly Role[] = ['owner', 'finance'];
const name = text(60).min(1, 'Please name a file');

/** Orders of one kind: a file has no other. */
const Orders = z.object({ kind: z.enum(['debit', 'payout']), orders: z.int(), totalCents: wholeCents });
export type BankFileOrders = z.infer<typeof Orders>;

/** Shows how files reach the bank, and the orders waiting for the next ones. */
export const retrieveBankFileState = consoleOperation({
  name: 'retrieveBankFileState',
  method: 'GET',
  path: '/bank-files/state',
  allowed: readers,
  readsOnly: true,
  follows: ['entries', 'files'],
  input: z.object({}),
  output: z.object({
    lodging: z
      .enum(['by_operator', 'when_written'])
      .nullable()
      .describe("an operator's word, or the bank's software fetches each; null where payments do not go by bank files"),
    today: day.describe("the product's"),
    waiting: z.array(Orders).describe('accepted and in no file yet'),
    nextWriteAt: instant.nullable().describe('by the timetable; null where an operator has them written'),
  }),
});
export type RetrievedBankFileState = z.infer<typeof retrieveBankFileState.output>;

export const BankFileState = z.enum(['written', 'lodged', 'cleared', 'withdrawn']);
export type BankFileState = z.infer<typeof BankFileState>;

export const BankFile = Orders.extend({
  id: z.string().describe('its name'),
  state: BankFileState,
  processOn: day,
  writtenAt: instant,
  lodgedAt: instant.nullable(),
  clearsOn: day.nullable().describe('from this day on, what has not come back counts as cleared'),
  withdrawnAt: instant.nullable(),
});
export type BankFile = z.infer<typeof BankFile>;

/** Lists the files for the bank, the newest first. */
export const listBankFiles = consoleOperation({
  name: 'listBankFiles',
  method: 'GET',
  path: '/bank-files',
  allowed: readers,
  readsOnly: true,
  follows: ['files'],
  input: Paged.extend({ after: name.optional(), state: BankFileState.optional() }),
  output: pageOf(BankFile),
});

/** Puts all waiting orders into files, each once. */
export const writeBankFiles = consoleOperation({
  name: 'writeBankFiles',
  method: 'POST',
  path: '/bank-files/write',
  allowed: workers,
  isDangerous: true,
  words: 'Had bank files written',
  input: z.object({}),
  output: z.object({
    files: z.array(Orders.extend({ name: z.string() })),
    unreadable: z
      .array(z.string())
      .describe('references of orders that were left out: their accounts cannot be decrypted'),
  }),
});
export type WrittenBankFiles = z.output<typeof writeBankFiles.output>;

/** Returns the content of a file, with the account numbers that are in it, for its upload to the bank. */
export const downloadBankFile = consoleOperation({
  name: 'downloadBankFile',
  method: 'GET',
  path: '/bank-files/file',
  allowed: workers,
  readsOnly: true,
  isDangerous: true,
  isSlow: true,
  audited: ['name', 'state'],
  words: 'Saved a bank file',
  input: z.object({ name, state: BankFileState.describe('as it was seen; refused where it has changed since') }),
  example: { name: 'debits-2026-11-25-1.aba', state: 'written' },
  output: FileAnswer,
});

/** Notes that the bank has taken a file; a second time changes nothing. */
export const lodgeBankFile = consoleOperation({
  name: 'lodgeBankFile',
  method: 'POST',
  path: '/bank-files/lodge',
  allowed: workers,
  isDangerous: true,
  audited: ['name'],
  words: 'Marked a bank file as lodged',
  input: z.object({ name }),
  example: { name: 'debits-2026-11-25-1.aba' },
  output: z.object({ isNew: z.boolean(), clearsOn: day }),
});

/** Notes that the bank does not have a file after all, until the day it clears; a second time changes nothing. */
export const unlodgeBankFile = consoleOperation({
  name: 'unlodgeBankFile',
  method: 'POST',
  path: '/bank-files/unlodge',
  allowed: workers,
  isDangerous: true,
  audited: ['name', 'reason'],
  words: 'Marked a bank file as not lodged',
  input: z.object({
    name,
    lodgedAt: instant.describe('as it was seen; refused if the file has since been lodged again'),
    reason: text(200).trim().min(1, 'Please say why'),
  }),
  example: {
    name: 'debits-2026-11-25-1.aba',
    lodgedAt: '2026-11-25T00:00:00.000Z',
    reason: 'not uploaded',
  },
  output: z.object({ isNew: z.boolean() }),
});

/** Notes that the bank did not take a file, whose orders go into the next one; a second time changes nothing. */
export const withdrawBankFile = consoleOperation({
  name: 'withdrawBankFile',
  method: 'POST',
  path: '/bank-files/withdraw',
  allowed: workers,
  isDangerous: true,
  audited: ['name'],
  words: 'Withdrew a bank file',
  input: z.object({ name }),
  example: { name: 'debits-2026-11-25-1.aba' },
  output: z.object({ isNew: z.boolean() }),
});

const maxReturnsBytes = 2_000_000;

/** Takes in the bank's file of returns, once, and settles the returned orders. */
export const importReturns = consoleOperation({
  name: 'importReturns',
  method: 'POST',
  path: '/bank-files/returns/import',
  allowed: workers,
  isDangerous: true,
  maxBodyBytes: maxReturnsBytes * 1.5,
  audited: ['fileName'],
  words: "Imported a bank's file of returns",
  input: z.object({
    fileName: text(200),
    content: z
      .base64()
      .min(1, 'Please choose a file')
      .max(maxReturnsBytes * 1.34, 'A file of returns has at most 2 MB'),
  }),
  example: { fileName: 'returns.txt', content: btoa('0 7') },
  output: z.object({
    isNew: z.boolean().describe('false where the file was read before'),
    returned: z.int(),
    problems: z.array(z.string()).describe('lines that could not be used, with the reason'),
    isSettled: z.boolean().describe('false while the outcomes are still being recorded'),
  }),
});

export const ReturnsFile = z.object({
  id: z.string().describe('the hash of its content'),
  name: z.string(),
  readAt: instant,
  returned: z.int(),
  problems: z.array(z.string()),
});
export type ReturnsFile = z.infer<typeof ReturnsFile>;

/** Lists the bank's files of returns that were taken in, the newest first. */
export const listReturnsFiles = consoleOperation({
  name: 'listReturnsFiles',
  method: 'GET',
  path: '/bank-files/returns',
  allowed: workers,
  readsOnly: true,
  follows: ['returns_files'],
  input: Paged.extend({ after: text(64).optional() }),
  output: pageOf(ReturnsFile),
});
