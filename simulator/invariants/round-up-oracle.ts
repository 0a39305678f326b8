import { type Cents, cents, type IsoDate, sydneyDay } from '@sparechange/domain';
import { countedWithinLimit, purchaseText, roundUp, weekOf } from '@sparechange/domain/model';
import {
  isPausedAt,
  isPausedDay,
  noteConsentEnd,
  notePause,
  noteTracking,
  type SupporterActor,
  valueAt,
  wasKeptBack,
} from '../actors/supporter-actor.ts';
import type { World } from '../world.ts';
import { identityOf, type ShownLine, type ShownStatement } from './bank-statement.ts';
import type { SyncStatus } from './check-supporter.ts';

interface RecordedRow {
  supporterId: string;
  seq: number;
  account: string;
  day: IsoDate;
  cents: Cents;
  description: string;
  raw: Cents;
  counted: Cents;
  recordedAt: Date;
}

/** Round-ups seen of one supporter, by purchase and by week, kept even when the product deletes them. */
interface SupporterMemory {
  lastSeq: number;
  times: Map<string, number>;
  weeks: Map<IsoDate, number>;
  counted: number;
  firstDay: IsoDate | undefined;
}

/**
 * Checks the product's records against the bank's lines and the supporter's choices, using only the pure rules: nothing
 * is rounded that should not be, nothing is rounded twice, nothing is missing, and every cent is right.
 */
export class RoundUpOracle {
  private readonly memories = new Map<string, SupporterMemory>();
  private readonly byId = new Map<string, SupporterActor>();
  /** The name that our debits carry on bank statements. */
  readonly mark: string;
  private readonly endsOn: (tenantKey: string) => IsoDate | undefined;

  constructor(mark: string, endsOn: (tenantKey: string) => IsoDate | undefined) {
    this.mark = mark;
    this.endsOn = endsOn;
  }

  /** Takes note of what the product did on its own: pauses after two returns, and deletions. */
  async learn({ everybody, supporters }: World): Promise<void> {
    for (const supporter of supporters) this.byId.set(supporter.supporterId, supporter);
    const pauses = await everybody<{ supporterId: string; at: Date; day: IsoDate }[]>`
      select supporter_id as "supporterId", paused_at as at, paused_on as day from pauses
      where resumed_on is null and reason = 'two returns'`;
    for (const { supporterId, at, day } of pauses) {
      const supporter = this.byId.get(supporterId);
      if (supporter) notePause(supporter, at, day);
    }
    const deletions = await everybody<{ supporterId: string; at: Date }[]>`
      select supporter_id as "supporterId", max(deleted_at) as at from bank_data_deletions group by 1`;
    for (const { supporterId, at } of deletions) {
      const supporter = this.byId.get(supporterId);
      if (!supporter || (supporter.deletedAt && supporter.deletedAt >= at)) continue;
      supporter.deletedAt = at;
      this.memoryOf(supporter).weeks.clear(); // the use of weekly limits is deleted with the rest
      for (const account of supporter.tracking.keys()) noteTracking(supporter, account, at, false, undefined);
    }
  }

  /** Checks every round-up recorded since the last call. */
  async checkRecorded(world: World): Promise<void> {
    const after = [...this.memories].map(([supporterId, { lastSeq }]) => ({ supporterId, lastSeq }));
    const rows = await world.everybody<RecordedRow[]>`
      select round_ups.supporter_id as "supporterId", seq, accounts.provider_account_id as account, posted_on as day,
        purchase_cents as cents, description, raw_cents as raw, counted_cents as counted, recorded_at as "recordedAt"
      from round_ups
      join accounts on accounts.supporter_id = round_ups.supporter_id and accounts.id = round_ups.account_id
      left join unnest(${after.map((each) => each.supporterId)}::uuid[], ${after.map((each) => each.lastSeq)}::bigint[])
        as seen (supporter_id, last_seq) on seen.supporter_id = round_ups.supporter_id
      where seq > coalesce(seen.last_seq, 0) order by round_ups.supporter_id, seq`;
    for (const row of rows) {
      const supporter = this.byId.get(row.supporterId);
      if (supporter)
        this.checkRow(world, supporter, { ...row, account: await world.accountNumbers.of(supporter, row.account) });
      else world.violation(`a round-up of nobody: ${row.supporterId}`);
    }
    world.count('round-ups', rows.length);
  }

  private memoryOf(supporter: SupporterActor): SupporterMemory {
    const known = this.memories.get(supporter.supporterId);
    if (known) return known;
    const made = { lastSeq: 0, times: new Map(), weeks: new Map(), counted: 0, firstDay: undefined };
    this.memories.set(supporter.supporterId, made);
    return made;
  }

  /** Returns the counted cents of all a supporter's recorded round-ups. */
  countedOf(supporter: SupporterActor): number {
    return this.memoryOf(supporter).counted;
  }

  private checkRow(world: World, supporter: SupporterActor, row: RecordedRow): void {
    const memory = this.memoryOf(supporter);
    const purchase = { account: row.account, day: row.day, cents: row.cents, text: purchaseText(row.description) };
    const reportWrong = (what: string) =>
      world.violation(`${supporter.uid} round-up ${row.seq} of ${row.day}, ${row.cents} cents: ${what}`);
    const reason = this.reasonNotAllowed(supporter, purchase, row.recordedAt);
    if (reason) reportWrong(reason);
    const step = valueAt(supporter.steps, row.recordedAt) ?? 100;
    const raw = roundUp(row.cents, step);
    if (row.raw !== raw) reportWrong(`spare change ${row.raw} instead of ${raw} to the step ${step}`);
    const week = weekOf(row.day);
    const used = memory.weeks.get(week) ?? 0;
    const limit = valueAt(supporter.limits, row.recordedAt) ?? 0;
    const counted = countedWithinLimit(raw, cents(used), limit);
    if (row.counted !== counted) reportWrong(`counted ${row.counted} instead of ${counted}, ${used} of ${limit} used`);
    memory.weeks.set(week, used + row.counted);
    memory.times.set(identityOf(purchase), (memory.times.get(identityOf(purchase)) ?? 0) + 1);
    memory.lastSeq = row.seq;
    memory.counted += row.counted;
  }

  /** Returns the reason that a purchase may not be rounded at an instant, by the supporter's choices until then. */
  private reasonNotAllowed(supporter: SupporterActor, { account, day }: ShownLine, at: Date): string | undefined {
    const tracking = valueAt(supporter.tracking.get(account), at);
    if (!tracking?.isOn) return 'the account is not tracked';
    if (tracking.from && day < tracking.from) return `the account is tracked from ${tracking.from}`;
    if (!supporter.firstDay || day < supporter.firstDay) return `purchases count from ${supporter.firstDay}`;
    const ends = this.endsOn(supporter.tenantKey);
    if (ends && day >= ends) return 'the campaign has ended';
    if (isPausedAt(supporter, at)) return 'round-ups are paused';
    if (isPausedDay(supporter, day, at)) return 'the day is in a pause';
    return undefined;
  }

  /** Compares what was recorded with what the bank shows of the last days. */
  checkComplete(
    world: World,
    supporter: SupporterActor,
    { roundsFrom, syncedAt, isActive }: SyncStatus,
    { purchases: shown }: ShownStatement,
  ): void {
    const memory = this.memoryOf(supporter);
    if (!roundsFrom) {
      world.violation(`${supporter.uid} is ready without a first day`);
      return;
    }
    this.checkFirstDay(world, supporter, memory, roundsFrom);
    for (const [identity, equalPurchases] of Map.groupBy(shown, identityOf)) {
      const times = memory.times.get(identity) ?? 0;
      if (times > equalPurchases.length)
        world.violation(`${supporter.uid}: ${identity} was rounded ${times} times of ${equalPurchases.length}`);
      const [purchase] = equalPurchases;
      if (!purchase || !syncedAt || !isActive || purchase.day < roundsFrom) continue;
      if (this.reasonNotAllowed(supporter, purchase, syncedAt) || wasKeptBack(supporter, purchase.day, syncedAt))
        continue;
      const dueTimes = equalPurchases.length - this.notYetShown(supporter, purchase, syncedAt);
      if (times < dueTimes) {
        world.violation(
          `${supporter.uid}: ${identity} was rounded ${times} times of ${dueTimes}, though asked for since`,
        );
      }
    }
    world.count('purchases compared', shown.length);
  }

  /** Counts equal purchases that the bank did not show until after an instant. */
  private notYetShown(supporter: SupporterActor, purchase: ShownLine, at: Date): number {
    if (purchase.day > sydneyDay(at)) return Number.POSITIVE_INFINITY;
    return supporter.purchases.filter(
      (each) =>
        each.at > at &&
        each.day === purchase.day &&
        each.cents === purchase.cents &&
        purchaseText(each.text) === purchase.text,
    ).length;
  }

  /** Checks that the first day moves only after a withdrawal or deletion, to that day or later; never for an expiry. */
  private checkFirstDay(world: World, supporter: SupporterActor, memory: SupporterMemory, roundsFrom: IsoDate): void {
    const before = memory.firstDay ?? supporter.firstDay;
    memory.firstDay = roundsFrom;
    if (before === undefined || roundsFrom === before) return;
    const ends = supporter.deletedAt ? [...supporter.withdrawals, supporter.deletedAt] : supporter.withdrawals;
    const isExplained = ends.some((end) => sydneyDay(end) <= roundsFrom);
    if (roundsFrom < before || !isExplained) {
      world.violation(`${supporter.uid}: purchases counted from ${before}, now from ${roundsFrom}`);
    }
  }
}

/** Ends the consents that have expired. */
export function endOverdueConsents(supporters: SupporterActor[], now: Date): void {
  for (const supporter of supporters) {
    if (supporter.hasConsent && supporter.consentUntil && supporter.consentUntil <= now) {
      noteConsentEnd(supporter, supporter.consentUntil, 'expired');
    }
  }
}
