import { join } from 'node:path';
import { z } from 'zod';
import type { ProviderSettings, Surroundings } from '#ports/provider-settings.ts';
import type { DirectEntrySettings } from './settings.ts';

const text = (form: RegExp, message: string) => z.string().regex(form, message).optional();
const count = (from: number, to: number, otherwise: number) =>
  z.coerce.number().int().min(from).max(to).default(otherwise);

const variables = {
  DIRECT_ENTRY_BANK: text(/^[A-Z]{3}$/, "must be the bank's three letters, such as NAB").describe(
    "The bank's three letters.",
  ),
  DIRECT_ENTRY_USER_NAME: text(
    /^(?! )[A-Z0-9 .-]{1,26}(?<! )$/,
    'must be 1 to 26 capital letters, digits, spaces, full stops or hyphens, as registered with the bank',
  ).describe('The name registered with the bank.'),
  DIRECT_ENTRY_USER_ID: text(/^\d{1,6}$/, 'must be at most six digits').describe(
    'The direct entry user id, at most six digits.',
  ),
  DIRECT_ENTRY_TRACE_BSB: text(/^\d{3}-?\d{3}$/, 'must be six digits').describe(
    'The BSB of the account that collects.',
  ),
  DIRECT_ENTRY_TRACE_ACCOUNT: text(/^(?!0*$)\d{1,9}$/, 'must be at most nine digits').describe(
    'The number of the account that collects.',
  ),
  DIRECT_ENTRY_BALANCING: z.enum(['on', 'off']).optional().describe('Whether the bank wants a file balanced.'),
  DIRECT_ENTRY_MAX_RECORDS: count(2, 999_999, 500).describe('The most records the bank takes in a file.'),
  DIRECT_ENTRY_LEAD_DAYS: count(0, 5, 0).describe('Banking days before its date that a file must be with the bank.'),
  DIRECT_ENTRY_CLEARING_DAYS: count(1, 20, 3).describe(
    'Banking days without a return until a debit counts as cleared.',
  ),
  DIRECT_ENTRY_FOLDER: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be one folder name of small letters, digits and hyphens')
    .default('direct-entry')
    .describe('The folder of bank files in the outbox.'),
  DIRECT_ENTRY_LODGING: z
    .enum(['by-operator', 'when-written'])
    .optional()
    .describe('Whether files count as lodged when written, or when an operator says so.'),
};

/** Settings of bank files (docs/going-live.md). */
export const directEntryVariables = {
  title: 'Payments by bank files',
  variables,
  required: {
    DIRECT_ENTRY_BANK: "the bank's abbreviation; only the bank knows which it takes",
    DIRECT_ENTRY_USER_NAME: 'the name registered with the bank',
    DIRECT_ENTRY_USER_ID: 'the direct entry user id; without it no bank debits',
    DIRECT_ENTRY_TRACE_BSB: 'the account that debits are collected into and returned to',
    DIRECT_ENTRY_TRACE_ACCOUNT: 'the account that debits are collected into and returned to',
    DIRECT_ENTRY_BALANCING: 'whether the bank wants the file balanced; one that does refuses a file that is not',
  },
  addresses: [],
  secrets: {},
  sandboxSecrets: {},
  sandboxPaths: [],
} satisfies ProviderSettings;

/** The settings with what a development start makes up, where files count as lodged once they are written. */
export function readDirectEntrySettings(
  env: z.output<z.ZodObject<typeof variables>>,
  { dataDir, statementName, isProduction }: Surroundings,
): DirectEntrySettings {
  const lodging = env.DIRECT_ENTRY_LODGING ?? (isProduction ? 'by-operator' : 'when-written');
  return {
    bank: env.DIRECT_ENTRY_BANK ?? 'WBC',
    userName: env.DIRECT_ENTRY_USER_NAME ?? 'SPARECHANGE',
    userId: (env.DIRECT_ENTRY_USER_ID ?? '999999').padStart(6, '0'),
    traceBsb: (env.DIRECT_ENTRY_TRACE_BSB ?? '032000').replace('-', ''),
    traceAccount: env.DIRECT_ENTRY_TRACE_ACCOUNT ?? '123456',
    isBalanced: (env.DIRECT_ENTRY_BALANCING ?? 'on') === 'on',
    maxRecords: env.DIRECT_ENTRY_MAX_RECORDS,
    leadDays: env.DIRECT_ENTRY_LEAD_DAYS,
    clearingDays: env.DIRECT_ENTRY_CLEARING_DAYS,
    folder: join(dataDir, 'outbox', env.DIRECT_ENTRY_FOLDER),
    lodging: lodging === 'by-operator' ? 'by operator' : 'when written',
    statementName,
  };
}
