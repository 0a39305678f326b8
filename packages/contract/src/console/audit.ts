import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  actor: z.string(),
  by: z.string().nullable().describe('the person, or the user of the operating system'),
  action: z.string(),
  refusal: z
    .string()
    .nullable()
    .describe('the code with which a call of the console was refused or failed; null where it was done'),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Lists what operators did, or with a supporter's id what concerns them, the newest first. */
export const listAuditEntries = consoleOperation({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/audit-log',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['audit_log', 'clubs', 'operators'],
  input: Paged.extend({
    search: text(100)
      .trim()
      .optional()
      .describe('in what is stored, and in names and addresses of the people who did it'),
    acts: text(4_000)
      .optional()
      .describe('codes of acts that a search finds as well, by the words that a page has for them'),
    from: day.optional(),
    to: day.optional(),
    personId: z.uuid().optional(),
    supporterId: z.uuid().optional(),
  }),
  output: pageOf(AuditEntry),
});

/** The last checkpoint, which covers every entry before it, and when a change of the log was last found. */
export const retrieveAuditState = consoleOperation({
  name: 'retrieveAuditState',
  method: 'GET',
  path: '/audit-log/state',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['alarms', 'audit_checkpoints'],
  input: z.object({}),
  output: z.object({
    checkpoint: z.object({ number: z.number(), madeAt: z.iso.datetime(), entries: z.number() }).nullable(),
    changedAt: z.iso.datetime().nullable(),
  }),
});
export type RetrievedAuditState = z.infer<typeof retrieveAuditState.output>;

/**
 * Makes checkpoints of the log's new entries, checks all of it against marks and checkpoints, and recomputes each
 * entry. Any finding raises an alarm.
 */
export const verifyAuditLog = consoleOperation({
  name: 'verifyAuditLog',
  method: 'POST',
  path: '/audit-log/verify',
  allowed: ['owner'],
  isSlow: true,
  words: 'Checked the audit log',
  input: z.object({}),
  output: z.object({
    outcome: z
      .object({
        entries: z.int(),
        found: z.int(),
        first: z.array(z.string()).describe('sentences with ids, of the first that were found'),
      })
      .nullable()
      .describe('null where it takes longer than a call may'),
  }),
});
