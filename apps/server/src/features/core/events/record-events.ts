import { randomUUID } from 'node:crypto';
import type { ProgramEvent } from '@sparechange/contract/program-events';
import type { Db } from '#db/connect.ts';

/** An event and its subject: an event of the same type and subject is recorded once. */
export type NewEvent = {
  [Event in ProgramEvent as Event['type']]: Pick<Event, 'type' | 'data'> & {
    about: string;
    /** Club of the event; null for an event of all clubs together. */
    clubId: string | null;
    /** Previous club, whose endpoints also receive the event. */
    formerParentId?: string | null | undefined;
    at: Date;
  };
}[ProgramEvent['type']];

/** A change of club; each is a separate event. */
export const clubChanged = (clubId: string, at: Date, formerParentId?: string | null): NewEvent => ({
  type: 'club.changed',
  about: randomUUID(),
  clubId,
  formerParentId,
  data: { clubId },
  at,
});

/**
 * Records events for subscribed endpoints in the transaction that they report; an event without subscribers is not
 * stored.
 */
export async function recordEvents(tx: Db, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx`
    with given as (
      select * from jsonb_to_recordset(${tx.json(events)})
        as event (type text, about text, "clubId" uuid, "formerParentId" uuid, data jsonb, at timestamptz)
    ), wanted as (
      select given.type, given.about, endpoint.id as endpoint_id
      from given left join clubs club on club.id = given."clubId" join webhook_endpoints endpoint
        on endpoint.removed_at is null and given.type = any(endpoint.types)
          and (endpoint.club_id is null or endpoint.club_id in (club.id, club.parent_id, given."formerParentId"))
    ), recorded as (
      insert into webhook_events (type, about, club_id, data, at)
      select type, about, "clubId", data, at from given
      where exists (select from wanted where wanted.type = given.type and wanted.about = given.about)
      on conflict (type, about) do nothing returning id, type, about, at
    )
    insert into webhook_deliveries (endpoint_id, event_id, since, due_at)
    select wanted.endpoint_id, recorded.id, recorded.at, recorded.at from wanted join recorded using (type, about)`;
}
