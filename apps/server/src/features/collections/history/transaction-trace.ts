import type { LineChain } from '@sparechange/contract';
import {
  apportion,
  dollars,
  noCents,
  subtract,
  type Why,
  whyIneligible,
  whyNotFullyCounted,
} from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { findRemittance } from '#features/disbursements/remittances/find-remittance.ts';
import type { HistoryLine } from './history-repository.ts';
import {
  findDeposit,
  findLine,
  type KnownLine,
  type LineDebitRow,
  listCollecting,
  listParts,
  type PayoutRow,
} from './line-repository.ts';

/** Returns why a line does not count in full; null if it does. */
export function whyOf(
  line: Pick<HistoryLine, 'kind' | 'reason' | 'rawCents' | 'countedCents' | 'isRefunded'>,
): Why | null {
  if (line.reason) return whyIneligible(line.reason);
  if (line.kind === 'refund') return 'a refund';
  const { rawCents, countedCents, isRefunded } = line;
  return whyNotFullyCounted({ raw: rawCents, counted: countedCents, isRefunded }) ?? null;
}

/** Traces one line of a supporter's history from the bank to the club. Throws NotFound for another supporter's. */
export async function traceTransaction(db: Db, supporterId: string, lineId: string): Promise<LineChain> {
  const line = await findLine(db, supporterId, lineId);
  if (!line) throw new NotFound('The line');
  const debits = line.debitId && line.countedCents !== 0 ? await listCollecting(db, supporterId, line.debitId) : [];
  const last = debits.at(-1);
  const shares = last && isUnderWay(last) ? await sharesOf(db, supporterId, line, last) : null;
  const clearedOn = last?.state === 'cleared' ? last.clearedOn : null;
  const remittance =
    clearedOn && shares?.clubCents ? await findRemittance(db, last?.clubId ?? '', clearedOn) : undefined;
  const deposit = clearedOn && shares?.savingsCents ? await findDeposit(db, supporterId, clearedOn) : undefined;
  return {
    bank: {
      date: line.day,
      description: line.description,
      amount: dollars(line.purchaseCents),
      account: line.account,
    },
    why: whyOf(line),
    rounding: line.kind === 'round-up' ? roundingOf(line) : null,
    pair: line.pairId && line.pairDay ? { lineId: line.pairId, date: line.pairDay, cents: line.takenOffCents } : null,
    debits: debits.map(toDebit),
    shares,
    remittance: toPayout(remittance),
    deposit: toPayout(deposit),
  };
}

const isRefunded = ({ state, amountCents, refundedCents }: LineDebitRow): boolean =>
  state === 'cleared' && refundedCents === amountCents;

const isUnderWay = (debit: LineDebitRow): boolean =>
  !['returned', 'refused', 'reversed', 'deferred'].includes(debit.state) && !isRefunded(debit);

const roundingOf = ({ stepCents, limitCents, rawCents, countedCents }: KnownLine) => ({
  stepCents,
  weeklyLimitCents: limitCents,
  rawCents,
  countedCents,
});

/** Splits the debit as a whole; this line's part of each half is proportional to its part of the debit. */
async function sharesOf(db: Db, supporterId: string, line: KnownLine, debit: LineDebitRow) {
  const parts = await listParts(db, supporterId, debit.id);
  const savings = apportion(
    debit.savingsCents,
    parts.map((part) => part.cents),
  );
  const savingsCents = savings[parts.findIndex(({ lineId }) => lineId === line.lineId)] ?? noCents;
  return { club: debit.club, clubCents: subtract(line.countedCents, savingsCents), savingsCents };
}

/** Returns the contract's word for a state. */
const stateOf = (state: LineDebitRow['state']) =>
  state === 'submitting' ? 'submitted' : state === 'deferred' ? 'waited' : state;

const toDebit = (debit: LineDebitRow): LineChain['debits'][number] => ({
  date: debit.date,
  amountCents: debit.amountCents,
  clubCents: subtract(debit.amountCents, debit.savingsCents),
  savingsCents: debit.savingsCents,
  state: isRefunded(debit) ? 'refunded' : stateOf(debit.state),
  refundedCents: debit.refundedCents,
  reference: debit.reference,
  providerReference: debit.providerRef,
});

const toPayout = (payout: PayoutRow | undefined): LineChain['remittance'] =>
  payout
    ? {
        date: payout.date,
        reference: payout.reference,
        state: payout.state === 'submitting' ? 'submitted' : payout.state,
      }
    : null;
