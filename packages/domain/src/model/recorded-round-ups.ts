import type { IsoDate } from '../days.ts';
import { type Cents, total } from '../money.ts';
import type { RoundUpStep } from '../round-up.ts';
import type { WeeklyLimit } from '../weekly-limit.ts';
import { isDayOfPause, type PausedDays } from './pauses.ts';
import { countedWithinLimit, roundUp } from './round-up.ts';
import { purchaseText } from './statement-line.ts';
import { weekOf } from './weeks.ts';

/** A purchase as the bank shows it at a moment. */
export interface ShownPurchase {
  transactionId: string;
  day: IsoDate;
  purchaseCents: Cents;
  description: string;
}

export interface RecordedRoundUp {
  day: IsoDate;
  purchase: Cents;
  raw: Cents;
  counted: Cents;
  occurrence: number;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: ShownPurchase, b: ShownPurchase): number => compare(a.transactionId, b.transactionId);
const byDay = (a: ShownPurchase, b: ShownPurchase): number => compare(a.day, b.day) || byId(a, b);

/** Records round-ups of one supporter purchase by purchase (docs/rules.md#rounding-up). */
export class RoundUpModel {
  /** Joins day, amount and cleaned text in `likeness`; of purchases that share it, only the number counts. */
  readonly recorded: (RecordedRoundUp & { id: string; likeness: string })[] = [];
  private readonly pauses: PausedDays[] = [];
  private readonly firstDay: IsoDate;

  constructor(firstDay: IsoDate) {
    this.firstDay = firstDay;
  }

  pause(day: IsoDate, isPaused: boolean): void {
    const open = this.pauses.find((pause) => pause.until === undefined);
    if (isPaused && !open) this.pauses.push({ from: day, until: undefined });
    if (!isPaused && open) open.until = day;
  }

  private counts(day: IsoDate): boolean {
    return day >= this.firstDay && !this.pauses.some((pause) => !pause.until || isDayOfPause(pause, day));
  }

  record(purchases: readonly ShownPurchase[], step: RoundUpStep, limit: WeeklyLimit): void {
    const once = [...new Map(purchases.map((purchase) => [purchase.transactionId, purchase])).values()];
    const groups = Map.groupBy(
      once.filter((purchase) => this.counts(purchase.day)),
      (purchase) => [purchase.day, purchase.purchaseCents, purchaseText(purchase.description)].join('|'),
    );
    const fresh = [...groups].flatMap(([likeness, shown]) => this.freshOf(likeness, shown));
    for (const { purchase, likeness, occurrence } of fresh.toSorted((a, b) => byDay(a.purchase, b.purchase))) {
      const raw = roundUp(purchase.purchaseCents, step);
      const week = this.recorded.filter(({ day }) => weekOf(day) === weekOf(purchase.day));
      const counted = countedWithinLimit(raw, total(week.map((roundUp) => roundUp.counted)), limit);
      const { transactionId: id, day, purchaseCents } = purchase;
      this.recorded.push({ id, likeness, day, purchase: purchaseCents, raw, counted, occurrence });
    }
  }

  /** Returns those of equal purchases that are not yet recorded, each with its number among them. */
  private freshOf(likeness: string, shown: readonly ShownPurchase[]) {
    const known = this.recorded.filter((roundUp) => roundUp.likeness === likeness);
    const isKnown = (purchase: ShownPurchase) => this.recorded.some(({ id }) => id === purchase.transactionId);
    const stillShown = shown.filter((purchase) => known.some(({ id }) => id === purchase.transactionId)).length;
    return shown
      .filter((purchase) => !isKnown(purchase))
      .toSorted(byId)
      .map((purchase, at) => ({ purchase, likeness, occurrence: stillShown + at + 1 }))
      .filter(({ occurrence }) => occurrence > known.length);
  }
}
