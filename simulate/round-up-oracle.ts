import {
  addDays,
  cents,
  cleanedText,
  countedWithinLimit,
  type IsoDate,
  roundUp,
  sydneyDay,
  weekStart,
} from '@sparechange/domain';
import { readPurchases, type ShownPurchase, sameness } from './bank-truth.ts';
import {
  isPausedAt,
  isPausedDay,
  noteConsentEnd,
  notePause,
  noteTracking,
  type Person,
  valueAt,
  wasKeptBack,
} from './person.ts';
import type { World } from './world.ts';

interface RecordedRow {
  supporterId: string;
  seq: number;
  account: string;
  day: IsoDate;
  cents: number;
  description: string;
  raw: number;
  counted: number;
  recordedAt: Date;
}

interface Standing {
  roundsFrom: IsoDate | null;
  syncedAt: Date | null;
  isActive: boolean;
}

/** Counts of each purchase's round-ups and each week's use, kept when the product deletes them. */
interface Memory {
  lastSeq: number;
  times: Map<string, number>;
  weeks: Map<IsoDate, number>;
  counted: number;
  firstDay: IsoDate | undefined;
}

/**
 * Checks the product's records against the bank's lines and the supporter's choices, by the pure rules alone: nothing
 * is rounded that should not be, nothing twice, nothing is missing, and every cent is right.
 */
export class RoundUpOracle {
  private readonly memories = new Map<string, Memory>();
  private readonly byId = new Map<string, Person>();
  private readonly mark: string;
  private readonly endsOn: (tenantKey: string) => IsoDate | undefined;

  constructor(mark: string, endsOn: (tenantKey: string) => IsoDate | undefined) {
    this.mark = mark;
    this.endsOn = endsOn;
  }

  /** Learns what the product did by itself: pauses after two returns, and deletions. */
  async learn({ admin, people }: World): Promise<void> {
    for (const person of people) this.byId.set(person.supporterId, person);
    const pauses = await admin<{ supporterId: string; at: Date; day: IsoDate }[]>`
      select supporter_id as "supporterId", paused_at as at, paused_on as day from pauses
      where resumed_on is null and reason = 'two returns'`;
    for (const { supporterId, at, day } of pauses) {
      const person = this.byId.get(supporterId);
      if (person) notePause(person, at, day);
    }
    const deletions = await admin<{ supporterId: string; at: Date }[]>`
      select supporter_id as "supporterId", max(deleted_at) as at from bank_data_deletions group by 1`;
    for (const { supporterId, at } of deletions) {
      const person = this.byId.get(supporterId);
      if (!person || (person.deletedAt && person.deletedAt >= at)) continue;
      person.deletedAt = at;
      this.memoryOf(person).weeks.clear(); // what a limit had used up is deleted with the rest
      for (const account of person.tracking.keys()) noteTracking(person, account, at, false, undefined);
    }
  }

  /** Looks at everything recorded since the last time. */
  async checkRecorded(world: World): Promise<void> {
    const after = [...this.memories].map(([supporterId, { lastSeq }]) => ({ supporterId, lastSeq }));
    const rows = await world.admin<RecordedRow[]>`
      select round_ups.supporter_id as "supporterId", seq, accounts.provider_account_id as account, posted_on as day,
        purchase_cents as cents, description, raw_cents as raw, counted_cents as counted, recorded_at as "recordedAt"
      from round_ups
      join accounts on accounts.supporter_id = round_ups.supporter_id and accounts.id = round_ups.account_id
      left join unnest(${after.map((each) => each.supporterId)}::uuid[], ${after.map((each) => each.lastSeq)}::bigint[])
        as seen (supporter_id, last_seq) on seen.supporter_id = round_ups.supporter_id
      where seq > coalesce(seen.last_seq, 0) order by round_ups.supporter_id, seq`;
    for (const row of rows) {
      const person = this.byId.get(row.supporterId);
      if (person) this.checkRow(world, person, { ...row, account: await world.accountNumbers.of(person, row.account) });
      else world.violation(`a round-up of nobody: ${row.supporterId}`);
    }
    world.count('round-ups', rows.length);
  }

  private memoryOf(person: Person): Memory {
    const known = this.memories.get(person.supporterId);
    if (known) return known;
    const made = { lastSeq: 0, times: new Map(), weeks: new Map(), counted: 0, firstDay: undefined };
    this.memories.set(person.supporterId, made);
    return made;
  }

  /** Returns the counted cents of everything ever recorded. */
  countedOf(person: Person): number {
    return this.memoryOf(person).counted;
  }

  private checkRow(world: World, person: Person, row: RecordedRow): void {
    const memory = this.memoryOf(person);
    const purchase = { account: row.account, day: row.day, cents: row.cents, text: cleanedText(row.description) };
    const wrong = (what: string) =>
      world.violation(`${person.uid} round-up ${row.seq} of ${row.day}, ${row.cents} cents: ${what}`);
    const reason = this.reasonNotAllowed(person, purchase, row.recordedAt);
    if (reason) wrong(reason);
    const step = valueAt(person.steps, row.recordedAt) ?? 100;
    const raw = roundUp(cents(row.cents), step);
    if (row.raw !== raw) wrong(`spare change ${row.raw} instead of ${raw} to the step ${step}`);
    const week = weekStart(row.day);
    const used = memory.weeks.get(week) ?? 0;
    const limit = valueAt(person.limits, row.recordedAt) ?? 0;
    const counted = countedWithinLimit(raw, cents(used), limit);
    if (row.counted !== counted) wrong(`counted ${row.counted} instead of ${counted}, ${used} of ${limit} used`);
    memory.weeks.set(week, used + row.counted);
    memory.times.set(sameness(purchase), (memory.times.get(sameness(purchase)) ?? 0) + 1);
    memory.lastSeq = row.seq;
    memory.counted += row.counted;
  }

  /** Why a purchase may not be rounded at a moment, by what the person chose until then. */
  private reasonNotAllowed(person: Person, { account, day }: ShownPurchase, at: Date): string | undefined {
    const tracking = valueAt(person.tracking.get(account), at);
    if (!tracking?.isOn) return 'the account is not tracked';
    if (tracking.from && day < tracking.from) return `the account is tracked from ${tracking.from}`;
    if (!person.firstDay || day < person.firstDay) return `purchases count from ${person.firstDay}`;
    const ends = this.endsOn(person.tenantKey);
    if (ends && day >= ends) return 'the campaign has ended';
    if (isPausedAt(person, at)) return 'round-ups are paused';
    if (isPausedDay(person, day, at)) return 'the day is in a pause';
    return undefined;
  }

  /** Holds what was recorded against what the bank shows of the last days. */
  async checkComplete(world: World, person: Person, days: number): Promise<void> {
    const { admin, clock } = world;
    if (person.stage !== 'ready' || !person.hasConsent || !person.firstDay) return;
    const [standing] = await admin<Standing[]>`
      select rounds_from as "roundsFrom", synced_at as "syncedAt", consent_active as "isActive"
      from supporters where supporter_id = ${person.supporterId}`;
    const memory = this.memoryOf(person);
    if (!standing?.roundsFrom) {
      world.violation(`${person.uid} is ready without a first day`);
      return;
    }
    this.checkFirstDay(world, person, memory, standing.roundsFrom);
    const earliest = addDays(clock.day(), -days);
    const since = earliest > person.firstDay ? earliest : person.firstDay;
    const shown = await readPurchases(world, person, since, this.mark);
    const { syncedAt } = standing;
    for (const [same, alike] of Map.groupBy(shown, sameness)) {
      const times = memory.times.get(same) ?? 0;
      if (times > alike.length) world.violation(`${person.uid}: ${same} was rounded ${times} times of ${alike.length}`);
      const [purchase] = alike;
      if (!purchase || !syncedAt || !standing.isActive || purchase.day < standing.roundsFrom) continue;
      if (this.reasonNotAllowed(person, purchase, syncedAt) || wasKeptBack(person, purchase.day, syncedAt)) continue;
      const due = alike.length - this.notYetShown(person, purchase, syncedAt);
      if (times < due) {
        world.violation(`${person.uid}: ${same} was rounded ${times} times of ${due}, though asked for since`);
      }
    }
    world.count('purchases compared', shown.length);
  }

  /** Counts equal purchases that the bank began to show only after that moment. */
  private notYetShown(person: Person, purchase: ShownPurchase, at: Date): number {
    if (purchase.day > sydneyDay(at)) return Number.POSITIVE_INFINITY;
    return person.purchases.filter(
      (each) =>
        each.at > at &&
        each.day === purchase.day &&
        each.cents === purchase.cents &&
        cleanedText(each.text) === purchase.text,
    ).length;
  }

  /** The first day moves on only after a withdrawal or a deletion, to a day on or after it; never for what ran out. */
  private checkFirstDay(world: World, person: Person, memory: Memory, roundsFrom: IsoDate): void {
    const before = memory.firstDay ?? person.firstDay;
    memory.firstDay = roundsFrom;
    if (before === undefined || roundsFrom === before) return;
    const ends = person.deletedAt ? [...person.withdrawals, person.deletedAt] : person.withdrawals;
    const isExplained = ends.some((end) => sydneyDay(end) <= roundsFrom);
    if (roundsFrom < before || !isExplained) {
      world.violation(`${person.uid}: purchases counted from ${before}, now from ${roundsFrom}`);
    }
  }
}

/** Consents end by themselves after their year. */
export function endConsentsOverdue(people: Person[], now: Date): void {
  for (const person of people) {
    if (person.hasConsent && person.consentUntil && person.consentUntil <= now) {
      noteConsentEnd(person, person.consentUntil, 'expired');
    }
  }
}
