import type { AuditKeys } from './audit-keys.ts';
import { operatorsChain } from './audit-log.ts';
import { markedText } from './checkpoint.ts';
import type { ChangedChain, MarkedChain } from './checkpoint-repository.ts';

/** New entries' allowed dates; undefined where the clock was moved. */
export type Dates = { from: Date; until: Date } | undefined;

const toleranceMs = 3_600_000; // a transaction is not open for longer, and servers' clocks differ by less

/** Returns allowed entry dates since the last complete checkpoint. */
export const datesBetween = (last: Date | undefined, now: Date): NonNullable<Dates> => ({
  from: new Date((last?.getTime() ?? Number.NEGATIVE_INFINITY) - toleranceMs),
  until: new Date(now.getTime() + toleranceMs),
});

export const chainName = (supporterId: string): string =>
  supporterId === operatorsChain ? "the operators' chain" : `the chain of ${supporterId}`;

/** Returns the problem of a marked link, if any. */
export function problemOfMark(
  keys: AuditKeys,
  { supporterId, markedSeq, mark, hash }: Omit<MarkedChain, 'seq'>,
): string | undefined {
  const name = chainName(supporterId);
  if (!hash) return `${name}: link ${markedSeq} is missing, which a checkpoint covers`;
  const answer = keys.verify(markedText(supporterId, markedSeq, hash), mark);
  if (answer === 'valid') return undefined;
  return answer === 'unknown_key'
    ? `${name} was marked with a data key that is not configured`
    : `${name} was changed before link ${markedSeq}, which a checkpoint covers`;
}

/** Returns the problem of the unmarked links, if any. */
export function problemOfChanges(keys: AuditKeys, chain: ChangedChain, dates: Dates): string | undefined {
  const { supporterId, seq, markedSeq, mark, markedHash, isWhole, isAsWritten, earliest, latest } = chain;
  const name = chainName(supporterId);
  if (seq < markedSeq) return `${name} ends with link ${seq}, a checkpoint covers ${markedSeq}`;
  const problem = markedSeq > 0 ? problemOfMark(keys, { supporterId, markedSeq, mark, hash: markedHash }) : undefined;
  if (problem) return problem;
  if (!isWhole) return `${name} is broken after link ${markedSeq}`;
  if (!isAsWritten) return `${name} has an entry after link ${markedSeq} that was changed or removed`;
  if (!dates || !earliest || !latest) return undefined;
  if (earliest < dates.from) return `${name} has a new entry dated back to ${earliest.toISOString()}`;
  if (latest > dates.until) return `${name} has an entry dated in the future, ${latest.toISOString()}`;
  return undefined;
}
