import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { ColumnMapping, UnknownColumns } from './column-mapping.ts';
import { consoleOperation, exampleId } from './operation.ts';
import type { Role } from './roles.ts';

const instant = z.iso.datetime();
const workers: readonly Role[] = ['owner', 'finance'];

const maxStatementBytes = 8_000_000;

/** Answer about lines in doubt: the known ones, which books nothing for them, or new, which books them. */
export const ChangedLines = z.enum(['same', 'new'], 'Please choose what they are');
export type ChangedLines = z.infer<typeof ChangedLines>;

export const ImportedStatement = z.object({
  statementId: z.string().optional().describe('by which the import can be taken back'),
  lines: z.int(),
  added: z.int(),
  matched: z.int(),
  open: z.int(),
  gapCents: wholeCents.describe('the opening balance less what the lines before lead to'),
});
export type ImportedStatement = z.infer<typeof ImportedStatement>;

/** A statement's file, with a person's answers about it. */
const SentStatement = z.object({
  fileName: text(200),
  content: z.base64().max(maxStatementBytes * 1.34, 'A statement has at most 8 MB, packed'),
  packing: z.literal('gzip').optional().describe('how the content is packed; not at all without it'),
  account: text(40).trim().optional().describe('its number, which a CSV file does not say; kept masked'),
  isNewAccount: z.boolean().optional().describe('a different account from those imported before'),
  changedLines: ChangedLines.optional().describe('asked for where lines may be known ones in other words'),
  acceptedCents: wholeCents
    .optional()
    .describe('the difference, without its sign, with which a file is imported though its balances disagree'),
  accountInFile: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('place of our account in a file that has several, from 1'),
  asksColumns: z.boolean().optional().describe('asks for the columns again, though a mapping is kept'),
  mapping: ColumnMapping.optional().describe('what the columns of a CSV file are; kept for the account'),
});

const PreviewedLine = z.object({
  bookedOn: day,
  cents: wholeCents,
  description: z.string(),
  state: z.enum(['new', 'known', 'in_doubt']),
  matches: z.boolean().describe('something explains it at once'),
});

export const PreviewedStatement = z.object({
  format: z.enum(['CSV', 'camt.053', 'MT940', 'OFX', 'BAI2']),
  bank: z.string().nullable().describe('the bank that exports such a file, if it tells'),
  isMapped: z.boolean().describe('its columns are read as a person chose'),
  account: z.string().describe('masked'),
  isNewAccount: z.boolean(),
  lines: z.int(),
  firstDay: day.nullable(),
  lastDay: day.nullable(),
  openingCents: wholeCents.nullable(),
  closingCents: wholeCents.nullable(),
  added: z.int().describe('lines that an import would book, the one of an opening balance included'),
  known: z.int(),
  doubtful: z.int().describe('lines in doubt, until a person has answered'),
  matching: z.int().describe('lines of those added that something explains at once'),
  odd: z.array(z.string()).describe('sentences about what is unusual'),
  question: z
    .object({ question: z.enum(['changedLines', 'acceptedCents']), message: z.string(), askedCents: wholeCents })
    .nullable()
    .describe('the field that an import needs, and the difference to accept'),
  first: z.array(PreviewedLine),
});
export type PreviewedStatement = z.infer<typeof PreviewedStatement>;

/** Says what an import of a statement would do, and books nothing. Refused if the file cannot be imported at all. */
export const previewStatement = consoleOperation({
  name: 'previewStatement',
  method: 'POST',
  path: '/reconciliation/statements/preview',
  allowed: workers,
  readsOnly: true,
  isSlow: true,
  maxBodyBytes: maxStatementBytes * 1.5,
  input: SentStatement,
  example: { fileName: 'a.csv', content: btoa('date,amount\n') },
  output: z.union([
    PreviewedStatement,
    z.object({ problem: z.string(), unknown: UnknownColumns }).describe('columns that a mapping has to explain'),
    z
      .object({
        problem: z.string(),
        accounts: z.array(
          z.object({ account: z.string(), lines: z.int(), firstDay: day.nullable(), lastDay: day.nullable() }),
        ),
      })
      .describe('accounts of a file that has several, masked, in their places'),
  ]),
});

/**
 * Imports a statement of the trust account: CSV, camt.053, MT940, OFX or BAI2. Known lines are left out. Refused, before
 * anything is booked, where lines may be known ones or balances disagree, until the answers say what to do. One that
 * takes longer than a call continues, and is listed with its progress and result.
 */
export const importStatement = consoleOperation({
  name: 'importStatement',
  method: 'POST',
  path: '/reconciliation/statements/import',
  allowed: workers,
  isDangerous: true,
  maxBodyBytes: maxStatementBytes * 1.5,
  audited: ['fileName', 'changedLines', 'acceptedCents'],
  words: 'Imported a bank statement',
  input: SentStatement,
  example: { fileName: 'a.csv', content: btoa('date,amount\n') },
  output: z.union([ImportedStatement, z.object({ underWay: z.uuid().describe('the import that continues') })]),
});

export const StatementImport = z.object({
  id: z.uuid(),
  fileName: z.string(),
  startedAt: instant,
  state: z
    .enum(['reading', 'booking', 'matching', 'done', 'refused', 'failed', 'cut_off'])
    .describe('cut off where its process ended'),
  done: z.int().describe('lines booked or, of one that matches, compared with payments'),
  total: z.int(),
  result: ImportedStatement.nullable(),
  takeBack: z
    .enum(['possible', 'matched_by_hand', 'needed', 'not_possible', 'done'])
    .describe(
      'whether it can be taken back: not once a line was matched by hand, or while later statements count from it',
    ),
  isFetched: z.boolean().describe("true for a provider's day, which is fetched again the night after it is taken back"),
  problem: z.string().nullable().describe('why it was refused'),
  questions: z.array(z.string()).describe('fields of importStatement that answer the refusal'),
});
export type StatementImport = z.infer<typeof StatementImport>;

/** Lists the last imports of statements, the newest first. */
export const listStatementImports = consoleOperation({
  name: 'listStatementImports',
  method: 'GET',
  path: '/reconciliation/statements/imports',
  allowed: workers,
  readsOnly: true,
  follows: ['bank_statement_imports', 'bank_statement_lines', 'bank_statements'],
  input: z.object({}),
  output: z.object({ imports: z.array(StatementImport) }),
});

/**
 * Takes an import back: its lines, their matches and their bookings. Lines that another import has too stay. Refused once
 * one of its lines was matched by hand, or while later statements of the account count from it.
 */
export const takeBackStatement = consoleOperation({
  name: 'takeBackStatement',
  method: 'POST',
  path: '/reconciliation/statements/take-back',
  allowed: workers,
  isDangerous: true,
  audited: ['statementId'],
  words: 'Took back a bank statement',
  input: z.object({ statementId: z.uuid() }),
  example: { statementId: exampleId },
  output: z.object({
    account: z.string(),
    lines: z.int(),
    cents: wholeCents,
    fetchedDay: day.nullable().describe("day of a provider's entries, which the next night fetches again"),
  }),
});
