import type { HistoryDebit as SentDebit } from '@sparechange/contract';
import { type Cents, clubParts, type IsoDate, noCents, subtract, total } from '@sparechange/domain';
import type { HistoryDebit, HistoryLine } from './history-repository.ts';

export interface Given {
  /** The debit day. */
  on: IsoDate;
  clubCents: Cents;
}

export interface DebitedLines {
  lines: (HistoryLine & { given: Given | null })[];
  debits: SentDebit[];
}

const isDebited = ({ state }: HistoryDebit): boolean => ['submitted', 'cleared', 'reversed'].includes(state);

/**
 * Gives each line its part of the club's share of its debit. Any excess of a debit over its lines has its own line, so
 * that every month adds up to the amount donated in it (docs/rules.md#donated-totals).
 */
export function debitedLines(lines: HistoryLine[], debits: HistoryDebit[]): DebitedLines {
  const linesOf = Map.groupBy(
    lines.filter(({ debitId, countedCents }) => debitId !== null && countedCents !== 0),
    ({ debitId }) => debitId,
  );
  const given = new Map<HistoryLine, Given>();
  const others: SentDebit[] = [];
  for (const debit of debits) {
    if (debit.kind === 'donation') {
      others.push({ ...sentOf(debit), kind: 'one-off donation', clubCents: isDebited(debit) ? keptOf(debit) : null });
      continue;
    }
    const own = (linesOf.get(debit.id) ?? []).toSorted(
      (one, other) => one.seq - other.seq || other.countedCents - one.countedCents,
    );
    const rest = subtract(debit.amountCents, total(own.map(({ countedCents }) => countedCents)));
    const parts = partsOf(debit, [...own.map(({ countedCents }) => countedCents), rest]);
    for (const [place, line] of own.entries()) given.set(line, { on: debit.date, clubCents: parts[place] ?? noCents });
    if (rest !== 0)
      others.push({ ...sentOf(debit), kind: 'round-ups', amountCents: rest, clubCents: parts.at(-1) ?? noCents });
  }
  const dayOf = new Map(debits.map((debit) => [debit.id, debit.date]));
  return {
    lines: lines.map((line) => ({ ...line, given: given.get(line) ?? ofNothing(line, dayOf) })),
    debits: others,
  };
}

/** Distributes an exact amount over the purchases of its debit. */
function ofNothing({ countedCents, debitId }: HistoryLine, dayOf: Map<string, IsoDate>): Given | null {
  const on = countedCents === 0 && debitId !== null ? dayOf.get(debitId) : undefined;
  return on === undefined ? null : { on, clubCents: noCents };
}

const partsOf = (debit: HistoryDebit, lines: Cents[]): Cents[] =>
  debit.state === 'reversed' ? lines.map(() => noCents) : clubParts(debit, lines);

const keptOf = ({ state, amountCents, savingsCents, repaidCents }: HistoryDebit): Cents =>
  state === 'reversed' ? noCents : subtract(subtract(amountCents, savingsCents), repaidCents);

const stateOf = (debit: HistoryDebit): SentDebit['state'] => {
  if (debit.state === 'planned') return 'waiting';
  if (debit.state === 'reversed' || debit.state === 'returned') return 'returned';
  if (debit.state === 'cleared') return debit.repaidCents > 0 && keptOf(debit) === 0 ? 'refunded' : 'cleared';
  return 'submitted';
};

const sentOf = (debit: HistoryDebit) => ({
  debitId: debit.id,
  date: debit.date,
  amountCents: debit.amountCents,
  state: stateOf(debit),
});
