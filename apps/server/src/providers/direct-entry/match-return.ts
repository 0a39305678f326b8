import type { ReturnCode } from '@sparechange/domain';
import type { Entry } from '#ports/direct-entry-book.ts';
import { amountColumns, type ReturnLine } from './returns.ts';
import type { DirectEntrySettings } from './settings.ts';

export type Match = { returned: { reference: string; code: ReturnCode } } | { problem: string };

/**
 * Returns the meaning of a returns line for our order. The reference is the key and the amount has to agree; the
 * accounts may stand in either place, and the day is not compared.
 */
export function matchReturn(
  line: ReturnLine,
  entry: Pick<Entry, 'reference' | 'amount' | 'state'> | undefined,
  { userId }: Pick<DirectEntrySettings, 'userId'>,
): Match {
  const problem = (words: string): Match => ({ problem: `line ${line.line}: ${words}` });
  const reference = line.reference || '(blank)';
  if (line.userId !== userId) return problem(`it belongs to the user id ${line.userId}, which is not ours`);
  if (!entry) return problem(`no order has the reference ${reference}`);
  if (entry.state === 'accepted') return problem(`${reference} is in no file yet`);
  if (entry.state === 'returned') return problem(`${reference} had come back before`);
  if (line.amountCents === undefined) return problem(`${reference} comes with no amount: ${amountColumns} are blank`);
  if (line.amountCents !== entry.amount) return problem(`${reference} is of another amount than ours`);
  if (!line.code) return problem(`${reference} comes with no return code that is known`);
  return { returned: { reference: entry.reference, code: line.code } };
}
