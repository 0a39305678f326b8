import { isoDate } from '@sparechange/domain';
import { z } from 'zod';
import { wholeCents } from '../whole-cents.ts';
import { PeopleNeeded } from './approvals.ts';
import { consoleOperation } from './operation.ts';

const instant = z.coerce.date();
const day = z.iso.date().transform(isoDate);

/** Text that may say more than figures. */
export const typed = z.string().nullable().describe('null for those who see figures alone');

/** Debits and their dollars. */
const DebitSum = z.object({ debits: z.number(), cents: wholeCents });

/** Outcome of a run's debits: planned, being sent, with the provider, answered by the bank, left for a later run. */
export const RunProgress = z.object({
  planned: DebitSum,
  submitting: DebitSum,
  submitted: DebitSum,
  cleared: DebitSum,
  failed: DebitSum.describe('returned, reversed or refused'),
  deferred: DebitSum,
});
export type RunProgress = z.infer<typeof RunProgress>;

/** `running` is being planned or sent; `finished` was sent, and what became of it could not be read. */
export const RunState = z.enum([
  'suspended',
  'planned',
  'running',
  'waiting',
  'complete',
  'complete_with_returns',
  'finished',
]);
export type RunState = z.infer<typeof RunState>;

/** Title of a page where an alarm is handled. */
const AlarmPage = z.enum(['Runs', 'Payments', 'Clubs', 'Reconciliation', 'Bank files', 'Mail', 'Jobs', 'Developers']);
export type AlarmPage = z.output<typeof AlarmPage>;

/** The day at a glance: figures without persons. */
export const Today = z.object({
  day,
  nextRunAt: instant,
  lastRun: z.object({ date: day, state: RunState, progress: RunProgress }).nullable(),
  cameBack: z.array(
    DebitSum.extend({
      state: z.enum(['returned', 'reversed', 'refused']),
      returnCode: z.number().nullable(),
      refusalCause: z.string().nullable(),
    }),
  ),
  suspension: z
    .object({ date: day, since: instant, because: typed, isAnomaly: z.boolean(), cents: wholeCents.nullable() })
    .nullable()
    .describe('debiting waits for a decision'),
  missedRun: day.nullable(),
  suspendedTenants: z.array(z.object({ tenant: z.string(), name: z.string(), since: instant, because: typed })),
  unanswered: z.array(z.object({ kind: z.string(), unknown: z.number(), parked: z.number() })),
  failedPayouts: z.object({ payouts: z.number(), cents: wholeCents }),
  holds: z.number(),
  namesToReview: z.number(),
  clubRequests: z.number().describe('clubs that ask to join'),
  statementLines: z.number().describe('unmatched lines of bank statements'),
  failedJobs: z.number().describe('jobs that failed and are not tried again'),
  bankFiles: z
    .object({
      toLodge: z.number().describe('files that were written and not lodged'),
      ordersToWrite: z.number().describe('debits and payouts that are in no file yet'),
    })
    .nullable()
    .describe('null if no one uploads files to the bank'),
  approvals: z.number(),
  peopleNeeded: PeopleNeeded.describe('for a dangerous act'),
  alarms: z.array(
    z.object({
      name: z.string(),
      about: typed,
      raisedAt: instant,
      sentence: typed,
      page: AlarmPage.nullable().describe('where it is acted on'),
      reference: typed.describe('of the payment that it is about'),
    }),
  ),
  silentServers: z.array(z.string()).describe('nodes of a Citus cluster whose supporters are left out'),
  providers: z.array(z.object({ name: z.string(), isReady: z.boolean(), unavailableSince: instant.nullable() })),
  queues: z.object({
    workDue: z.number().describe('counted up to 10,000, as mails are'),
    workLateSince: instant.nullable(),
    mailsWaiting: z.number(),
    mailsUndelivered: z.number(),
    notifications: z.number(),
    webhooksParked: z.number(),
  }),
});
export type Today = z.infer<typeof Today>;

export const retrieveToday = consoleOperation({
  name: 'retrieveToday',
  method: 'GET',
  path: '/today',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  follows: 'today',
  input: z.object({}),
  output: Today,
});

const moved = {
  collectedCents: wholeCents.describe('cleared debits and donations'),
  paidOutCents: wholeCents.describe('cleared payouts, savings deposits and refunds'),
};

/** Money of the month and of six weeks, by the days on which its payments were planned, as Payments lists them. */
export const Money = z.object({
  month: z.object({ from: day, to: day, ...moved, heldCents: wholeCents.describe('collected less paid out') }),
  weeks: z.array(z.object({ from: day, ...moved })).describe('from Monday on; the present one is the last'),
  returned: z
    .object({ debits: z.number(), cents: wholeCents, ofDebits: z.number().describe('that banks have answered') })
    .describe('debits and donations of the six weeks that were returned or reversed'),
  silentServers: z.array(z.string()),
});
export type Money = z.infer<typeof Money>;

export const retrieveMoney = consoleOperation({
  name: 'retrieveMoney',
  method: 'GET',
  path: '/today/money',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  follows: ['debits', 'deposits', 'remittances', 'repayments'],
  input: z.object({}),
  output: Money,
});
