import { z } from 'zod';
import { consoleOperation } from './operation.ts';

/** Operations whose answers are followed while a page shows them. */
export const followed = ['retrieveToday', 'listApprovals', 'listRuns', 'retrieveRun', 'retrieveRunState'] as const;
export type Followed = (typeof followed)[number];

/** Streams as server-sent events which of them would answer otherwise now. It does not end, and is in no list of calls. */
export const followChanges = consoleOperation({
  name: 'followChanges',
  method: 'GET',
  path: '/live',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  input: z.object({}),
  output: z.object({ changed: z.array(z.string()) }),
});
