import { type IsoDate, sydneyDay } from '@sparechange/domain';
import { runsBeforeDropped } from '@sparechange/domain/model';
import type { Db } from '@sparechange/server/db/connect.ts';
import type { World } from '../world.ts';

/**
 * Records each time a debit of a bucket asks for a failed one again, as the product forgets it when the later debit is deferred
 * and releases the earlier one.
 */
export async function recordRepresentments(bucket: Db): Promise<void> {
  await bucket`create table if not exists simulated_representments (debit_id uuid, repeater_id uuid, primary key (debit_id, repeater_id))`;
  await bucket`
    create or replace function record_representment() returns trigger language plpgsql as $$
    begin
      execute format('insert into %I.simulated_representments values ($1, $2) on conflict do nothing', tg_table_schema)
      using new.id, new.represented_by;
      return null;
    end $$`;
  await bucket`
    create or replace trigger record_representment after update of represented_by on debits
    for each row when (new.represented_by is not null) execute function record_representment()`;
}

interface FailedDebit {
  supporterId: string;
  id: string;
  state: 'deferred' | 'returned' | 'refused';
  representedBy: string | null;
  plannedAt: Date;
  outcomeAt: Date;
  droppedOn: IsoDate | null;
  /** Cents of its amount that were not released to be requested separately. */
  own: number;
  /** Ids of the debits that asked for it again, now or before they were deferred. */
  repeaters: string[];
}

/** Checks that what was deferred in three runs is dropped with the third, and not before. */
export async function checkDeferrals(world: World): Promise<void> {
  const failed = await world.everybody<FailedDebit[]>`
    select supporter_id as "supporterId", id, state, represented_by as "representedBy", planned_at as "plannedAt",
      outcome_at as "outcomeAt", dropped_on as "droppedOn", amount_cents - released_cents as own,
      array(select repeater_id from simulated_representments where debit_id = debits.id) as repeaters
    from debits where kind = 'round-up' and state in ('deferred', 'returned', 'refused')`;
  const bySupporter = Map.groupBy(failed, ({ supporterId }) => supporterId);
  for (const supporter of world.supporters) {
    const debits = bySupporter.get(supporter.supporterId) ?? [];
    for (const debit of debits) {
      if (debit.representedBy !== null || debit.own <= 0) continue;
      const { id, droppedOn } = debit;
      const { deferrals, at } = deferralsOf(debits, debit);
      const isOver = deferrals >= runsBeforeDropped;
      if (isOver && droppedOn === null)
        world.violation(`${supporter.uid} debit ${id} was deferred ${deferrals} times and is not dropped`);
      if (droppedOn !== null && supporter.deletedAt === undefined && !(isOver && droppedOn === sydneyDay(at)))
        world.violation(
          `${supporter.uid} debit ${id}, dropped on ${droppedOn}, was deferred ${deferrals} times until ${at.toISOString()}`,
        );
    }
  }
}

/**
 * Returns how often a debit was deferred, alone or as part of a later one, up to the limit, and when it was last. A
 * debit that could not be taken apart has been deferred as often as its oldest part.
 */
function deferralsOf(debits: FailedDebit[], debit: FailedDebit, until?: Date): { deferrals: number; at: Date } {
  const isDeferred = debit.state === 'deferred';
  const parts = isDeferred ? debits.filter(({ representedBy }) => representedBy === debit.id) : [];
  const ofParts = Math.max(0, ...parts.map((part) => deferralsOf(debits, part, debit.plannedAt).deferrals));
  const own = ofParts + (isDeferred ? 1 : 0);
  const later = debits
    .filter(({ id, state }) => state === 'deferred' && debit.repeaters.includes(id))
    .filter(({ plannedAt }) => until === undefined || plannedAt < until)
    .sort((one, other) => one.plannedAt.getTime() - other.plannedAt.getTime())
    .slice(0, Math.max(0, runsBeforeDropped - own));
  return { deferrals: own + later.length, at: later.at(-1)?.outcomeAt ?? debit.outcomeAt };
}
