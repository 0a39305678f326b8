import {
  type Cents,
  deductibleCents,
  type IsoDate,
  lastDayOfPeriod,
  monthStart,
  type ReceiptPeriod,
  receiptNumber,
  total,
} from '@sparechange/domain';
import type { ReceiptClub, ReceiptFacts } from './receipt-facts.ts';
import type { BookedGift, GiftClub } from './receipt-repository.ts';

export interface ReceiptMaterial {
  supporterId: string;
  supporter: string;
  issuer: string;
  period: ReceiptPeriod;
  issuedOn: IsoDate;
  gifts: BookedGift[];
  clubs: GiftClub[];
}

const sum = (gifts: BookedGift[], of: (gift: BookedGift) => Cents): Cents => total(gifts.map(of));

/** Lists debits; for a year, sums by month and kind. */
function linesOf(gifts: BookedGift[], { kind }: ReceiptPeriod): ReceiptClub['lines'] {
  if (kind === 'month') return gifts.map(({ day, kind, cents }) => ({ day, kind, cents }));
  return [...Map.groupBy(gifts, ({ day, kind }) => `${monthStart(day)} ${kind}`).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? [{ day: monthStart(first.day), kind: first.kind, cents: sum(alike, ({ cents }) => cents) }] : [];
  });
}

/** Composes a period's receipt, with lines and sums by club. */
export function composeReceipt(material: ReceiptMaterial): ReceiptFacts {
  const { period, gifts, clubs } = material;
  const lastDay = lastDayOfPeriod(period);
  const sections = clubs.map(({ id, name, abn, dgrSince }): ReceiptClub => {
    const own = gifts.filter(({ clubId }) => clubId === id);
    return {
      name,
      abn,
      isDeductibleGiftRecipient: dgrSince !== null && dgrSince <= lastDay,
      lines: linesOf(own, period),
      totalCents: sum(own, ({ cents }) => cents),
      deductibleCents: sum(own, (gift) => deductibleCents(gift, dgrSince)),
    };
  });
  return {
    number: receiptNumber(material.supporterId, period),
    kind: period.kind,
    firstDay: period.firstDay,
    lastDay,
    issuedOn: material.issuedOn,
    supporter: material.supporter,
    issuer: material.issuer,
    clubs: sections,
    totalCents: sum(gifts, ({ cents }) => cents),
    deductibleCents: sum(gifts, (gift) =>
      deductibleCents(gift, clubs.find(({ id }) => id === gift.clubId)?.dgrSince ?? null),
    ),
    savingsCents: sum(gifts, ({ savingsCents }) => savingsCents),
  };
}
