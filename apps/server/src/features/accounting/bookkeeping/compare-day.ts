import { addDays, type Cents, type IsoDate, magnitude, noCents, subtract, total } from '@sparechange/domain';
import { maxDaysLater } from '#features/accounting/bank-statements/match-lines.ts';

/** A line of the bank statement, with the settlement that explains it if one does. */
export interface BankLine {
  id: string;
  bookedOn: IsoDate;
  cents: Cents;
  description: string;
  reference: string | null;
  matchedKind: 'settlement' | 'collection' | 'payout' | 'payout_returned' | 'claim' | 'by_hand' | null;
  matchedWith: string | null;
  settledCents: Cents | null;
}

/** A settlement of the provider, with the line that it explains if there is one. */
export interface Settlement {
  name: string;
  settledOn: IsoDate;
  cents: Cents;
  bankCents: Cents | null;
  bankDay: IsoDate | null;
}

export interface ComparedRow {
  id: string;
  kind: NonNullable<BankLine['matchedKind']> | 'open';
  /** Explanation: a settlement's day, a payment's reference, an account. */
  matchedWith: string | null;
  description: string | null;
  bankCents: Cents | null;
  bankDay: IsoDate | null;
  providerCents: Cents | null;
  /** Null while the line is in suspense, or not on a statement. */
  ledgerCents: Cents | null;
  differenceCents: Cents;
  /** True for a settlement that the bank may still book. */
  isWaiting: boolean;
}

export interface ComparedDay {
  state: 'agrees' | 'differs' | 'waiting' | 'nothing';
  /** Sum of the rows' differences, without signs. */
  differenceCents: Cents;
  differing: number;
  rows: ComparedRow[];
}

const rowOfLine = (line: BankLine): ComparedRow => ({
  id: line.id,
  kind: line.matchedKind ?? 'open',
  matchedWith: line.matchedWith ?? line.reference,
  description: line.description,
  bankCents: line.cents,
  bankDay: line.bookedOn,
  providerCents: line.matchedKind === 'settlement' ? line.settledCents : null,
  ledgerCents: line.matchedKind ? line.cents : null,
  differenceCents: line.matchedKind ? noCents : magnitude(line.cents),
  isWaiting: false,
});

/** A settlement without a line is missing once the statement goes beyond the days in which the bank books it. */
function rowOfSettlement(settlement: Settlement, lastBankDay: IsoDate | undefined): ComparedRow {
  const { name, settledOn, cents, bankCents, bankDay } = settlement;
  const isOpen = bankCents === null;
  const isWaiting = isOpen && (lastBankDay ?? '') < addDays(settledOn, maxDaysLater);
  return {
    id: `settlement ${name}`,
    kind: 'settlement',
    matchedWith: name,
    description: null,
    bankCents,
    bankDay,
    providerCents: cents,
    ledgerCents: bankCents,
    differenceCents: isOpen && !isWaiting ? magnitude(cents) : noCents,
    isWaiting,
  };
}

const distance = (line: BankLine, settlement: Settlement): Cents => magnitude(subtract(line.cents, settlement.cents));

/** A line of another amount may be the settlement's if it lies within its days and is closer to it than to nothing. */
const mayBe = (line: BankLine, settlement: Settlement): boolean =>
  line.reference === null &&
  line.matchedKind === null &&
  line.bookedOn >= settlement.settledOn &&
  line.bookedOn <= addDays(settlement.settledOn, maxDaysLater) &&
  distance(line, settlement) * 2 < magnitude(settlement.cents);

/** Pairs each settlement without a line with the open line nearest to its amount. */
function pairs(lines: readonly BankLine[], settlements: readonly Settlement[]): Map<BankLine, Settlement> {
  const paired = new Map<BankLine, Settlement>();
  for (const settlement of settlements.filter(({ bankCents }) => bankCents === null)) {
    const [nearest] = lines
      .filter((line) => !paired.has(line) && mayBe(line, settlement))
      .toSorted((one, other) => distance(one, settlement) - distance(other, settlement));
    if (nearest) paired.set(nearest, settlement);
  }
  return paired;
}

/**
 * Compares bank statement, provider and ledger for a day: lines booked on it, and settlements of it. Lines and
 * settlements of the days around are given too, as one may belong to another of this day.
 */
export function compareDay(
  day: IsoDate,
  lines: readonly BankLine[],
  settlements: readonly Settlement[],
  lastBankDay: IsoDate | undefined,
): ComparedDay {
  const paired = pairs(lines, settlements);
  const taken = new Set(paired.values());
  const ofLines = lines.flatMap((line): ComparedRow[] => {
    const settlement = paired.get(line);
    if (line.bookedOn !== day && settlement?.settledOn !== day) return [];
    if (!settlement) return [rowOfLine(line)];
    const difference = distance(line, settlement);
    return [{ ...rowOfLine(line), providerCents: settlement.cents, differenceCents: difference }];
  });
  const known = new Set(ofLines.map(({ kind, matchedWith }) => `${kind} ${matchedWith}`));
  const ofSettlements = settlements
    .filter((each) => each.settledOn === day && !taken.has(each) && !known.has(`settlement ${each.name}`))
    .map((each) => rowOfSettlement(each, lastBankDay));
  const rows = [...ofLines, ...ofSettlements].toSorted((one, other) => other.differenceCents - one.differenceCents);
  const differing = rows.filter(({ differenceCents }) => differenceCents !== 0);
  return {
    state: stateOf(rows, differing.length),
    differenceCents: total(differing.map(({ differenceCents }) => differenceCents)),
    differing: differing.length,
    rows,
  };
}

function stateOf(rows: readonly ComparedRow[], differing: number): ComparedDay['state'] {
  if (differing > 0) return 'differs';
  if (rows.some(({ isWaiting }) => isWaiting)) return 'waiting';
  return rows.length === 0 ? 'nothing' : 'agrees';
}
