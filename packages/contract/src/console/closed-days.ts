import { z } from 'zod';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { consoleOperation } from './operation.ts';
import { pageOf } from './paging.ts';
import { typed } from './today.ts';

/** A day on which banks do not settle, beside the list of settlement holidays. */
export const ClosedDay = z.object({
  id: day,
  reason: typed,
  isPast: z.boolean().describe('what was reckoned by it stays; it cannot be removed'),
});
export type ClosedDay = z.infer<typeof ClosedDay>;

/** Lists the extra closed days to come and of the last thirty days, in order, on one page. */
export const listClosedDays = consoleOperation({
  name: 'listClosedDays',
  method: 'GET',
  path: '/runs/closed-days',
  allowed: ['owner', 'finance', 'viewer'],
  readsOnly: true,
  follows: ['extra_closed_days'],
  input: z.object({}),
  output: pageOf(ClosedDay),
});

/** Declares a day closed: debits, payouts and clearing move as over a holiday. */
export const addClosedDay = consoleOperation({
  name: 'addClosedDay',
  method: 'POST',
  path: '/runs/closed-days/add',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['day', 'reason'],
  words: 'Declared a day closed',
  input: z.object({ day, reason: text(200).trim().min(1, 'Please say why') }),
  example: { day: '2026-11-27', reason: 'a mourning day' },
  output: z.object({ nextDebitDay: day }),
});

/** Lets banks settle on a day to come again. */
export const removeClosedDay = consoleOperation({
  name: 'removeClosedDay',
  method: 'POST',
  path: '/runs/closed-days/remove',
  allowed: ['owner', 'finance'],
  isDangerous: true,
  audited: ['day'],
  words: 'Took back a closed day',
  input: z.object({ day }),
  example: { day: '2026-11-26' },
  output: z.object({}),
});
