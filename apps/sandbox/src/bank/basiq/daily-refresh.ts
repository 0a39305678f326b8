import { addDays, sydneyDate, sydneyInstant } from '#world/days.ts';
import { seeded } from '#world/seeded.ts';
import type { World } from '#world/world.ts';
import { type Connection, findConnection, noteRefresh } from './connections.ts';
import { emit } from './events.ts';

const minuteMs = 60_000;

/** Between 02:00 and 04:59 of the next Sydney day, so that the morning's runs find the night's postings. */
function nextRefresh(connection: Connection, at: number): number {
  const minute = 120 + seeded(connection.id).whole(0, 179);
  return sydneyInstant(addDays(sydneyDate(at), 1)) + minute * minuteMs;
}

export const scheduleDailyRefresh = (world: World, connection: Connection, at: number): void =>
  world.agenda.schedule('daily refresh', nextRefresh(connection, at), connection.id);

/** Fetches posted lines every night as Basiq does, with events. */
export function watchDailyRefresh(world: World): void {
  world.agenda.when('daily refresh', (id, at) => {
    const connection = findConnection(world.db, id);
    if (connection === undefined || connection.status === 'deleted') return;
    scheduleDailyRefresh(world, connection, at);
    if (connection.status !== 'active') return;
    noteRefresh(world.db, id, at);
    const path = `/users/${connection.userId}/transactions?filter=connection.id.eq('${id}')`;
    emit(world, 'transactions.updated', { userId: connection.userId, path }, at);
  });
}
