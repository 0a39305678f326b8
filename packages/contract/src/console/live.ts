import { z } from 'zod';
import { consoleOperation } from './operation.ts';

/** Streams as server-sent events which of them may answer otherwise now. It does not end, and is in no list of calls. */
export const followChanges = consoleOperation({
  name: 'followChanges',
  method: 'GET',
  path: '/live',
  allowed: ['owner', 'finance', 'support', 'viewer'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({}),
  output: z.object({ changed: z.array(z.string()) }),
});
