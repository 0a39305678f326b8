import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { consoleOperation } from './operation.ts';
import { Paged, pageOverServers } from './paging.ts';
import { RunProgress, RunState, typed } from './today.ts';

const instant = z.coerce.date();
const sum = { debits: z.number(), cents: wholeCents };
const tenant = text(63);
const because = text(200).trim().min(1, 'Please say why');

const counts = z.array(z.object({ words: z.string(), debits: z.number() }));

export const Run = z.object({
  id: day,
  date: day,
  state: RunState,
  plannedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  confirmedAt: instant.nullable(),
  suspendedAt: instant.nullable(),
  suspendedBecause: typed,
  isAnomaly: z.boolean(),
  resumedAt: instant.nullable(),
  ...sum,
});
export type Run = z.infer<typeof Run>;

/** A run with what became of its debits; null while a database server does not answer. */
export const ListedRun = Run.extend({ progress: RunProgress.nullable() });
export type ListedRun = z.infer<typeof ListedRun>;

/** Lists debit runs, the newest first. */
export const listRuns = consoleOperation({
  name: 'listRuns',
  method: 'GET',
  path: '/runs',
  allowed: ['owner', 'finance', 'viewer'],
  readsOnly: true,
  follows: 'runs',
  input: Paged.extend({ after: day.optional() }),
  output: pageOverServers(ListedRun),
});

export const retrieveRun = consoleOperation({
  name: 'retrieveRun',
  method: 'GET',
  path: '/runs/run',
  allowed: ['owner', 'finance', 'viewer'],
  readsOnly: true,
  follows: 'runs',
  input: z.object({ date: day }),
  example: { date: '2026-11-23' },
  output: z.object({
    run: Run,
    progress: RunProgress,
    outcomes: z.array(
      z.object({
        state: z.string(),
        returnCode: z.number().nullable(),
        refusalCause: z.string().nullable(),
        deferredBecause: z.string().nullable(),
        ...sum,
      }),
    ),
    leftOut: counts.describe('supporters with something to debit that the latest plan of the run left out, by reason'),
  }),
});

/** Answers what keeps debits from being taken, and which supporters it affects. */
export const retrieveRunState = consoleOperation({
  name: 'retrieveRunState',
  method: 'GET',
  path: '/runs/state',
  allowed: ['owner', 'finance', 'viewer'],
  readsOnly: true,
  follows: 'runs',
  input: z.object({}),
  output: z.object({
    nextRunAt: instant,
    missedRun: day.nullable(),
    suspension: z
      .object({ date: day, since: instant, because: typed, isAnomaly: z.boolean(), cents: wholeCents.nullable() })
      .nullable(),
    tenants: z.array(
      z.object({
        tenant: z.string(),
        name: z.string(),
        suspended: z.object({ since: instant, because: typed }).nullable(),
      }),
    ),
  }),
});

export const RunPlan = z.object({
  date: day,
  debits: z.number(),
  totalCents: wholeCents,
  anomalies: z.array(z.string()),
  tenants: z.array(z.object({ tenant: z.string(), ...sum })),
  differences: counts,
  skipped: counts,
  pastRuns: z.array(z.object({ date: day, ...sum })),
  lines: z.array(
    z.object({
      email: z.string(),
      tenant: z.string().describe('its name'),
      maskedAccount: z.string(),
      cents: wholeCents,
      usualCents: wholeCents.nullable(),
      differences: z.array(z.string()),
    }),
  ),
});
export type RunPlan = z.infer<typeof RunPlan>;

/** Works out the next run, or the unusual one that waits, and writes nothing. */
export const planRun = consoleOperation({
  name: 'planRun',
  method: 'GET',
  path: '/runs/plan',
  allowed: ['owner', 'finance'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({}),
  output: RunPlan,
});

/** `asked` waits for a second person; `under_way` takes longer than a call and continues in the background. */
const Acted = z.object({ outcome: z.enum(['asked', 'under_way', 'done']) });

/** Makes a run: once more, despite being unusual, or despite a suspension. */
export const runDebits = consoleOperation({
  name: 'runDebits',
  method: 'POST',
  path: '/runs/run',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['date', 'how', 'cents'],
  words: 'Made a debit run, or asked for it',
  input: z
    .object({
      date: day,
      how: z.enum(['again', 'confirmed', 'forced']),
      cents: wholeCents
        .nullish()
        .describe('what is confirmed of an unusual run, as it was shown; a tenth more is covered'),
    })
    .refine(({ how, cents }) => how !== 'confirmed' || (cents ?? 0) > 0, {
      path: ['cents'],
      message: 'Please confirm an amount',
    }),
  example: { date: '2026-11-25', how: 'again' },
  output: Acted,
});

/** Records that a suspended run stays stopped, and why. */
export const stopRun = consoleOperation({
  name: 'stopRun',
  method: 'POST',
  path: '/runs/stop',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['because'],
  words: 'Left a run stopped',
  input: z.object({ because }),
  example: { because: 'far too much' },
  output: z.object({}),
});

export const suspendTenant = consoleOperation({
  name: 'suspendTenant',
  method: 'POST',
  path: '/runs/suspend',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['tenant', 'because'],
  words: "Suspended a tenant's debits",
  input: z.object({ tenant, because }),
  example: { tenant: 'default', because: 'a complaint' },
  output: z.object({}),
});

export const resumeTenant = consoleOperation({
  name: 'resumeTenant',
  method: 'POST',
  path: '/runs/resume',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['tenant'],
  words: "Resumed a tenant's debits, or asked for it",
  input: z.object({ tenant }),
  example: { tenant: 'default' },
  output: Acted,
});
