import type { FastifyInstance } from 'fastify';
import type { World } from '#world/world.ts';
import { eventTypes, findEvent, isEventType, listEvents, presentEvent } from './events.ts';
import { holds, parseFilter } from './filter.ts';
import { notFound } from './problem.ts';

const weekMs = 7 * 86_400_000;

export function eventRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;
  const api = `${origin}/basiq`;
  const presentType = (id: keyof typeof eventTypes) => ({
    type: 'eventType',
    id,
    description: eventTypes[id],
    links: { self: `${api}/events/types/${id}` },
  });

  app.get('/events/types', async () => {
    const data = Object.keys(eventTypes).filter(isEventType).map(presentType);
    return { type: 'list', size: data.length, count: data.length, data, links: { self: `${api}/events/types` } };
  });

  app.get<{ Params: { id: string } }>('/events/types/:id', async ({ params: { id } }) => {
    if (!isEventType(id)) throw notFound('Requested event type does not exist.');
    return presentType(id);
  });

  app.get<{ Querystring: { filter?: string } }>('/events', async ({ query }) => {
    const conditions = parseFilter(query.filter, { 'user.id': ['eq'], 'event.entity': ['eq'], 'event.type': ['eq'] });
    const userId = conditions.find(({ property }) => property === 'user.id')?.values[0];
    const data = listEvents(db, clock.now() - weekMs, userId)
      .filter((event) =>
        conditions.every((condition) => {
          if (condition.property === 'user.id') return holds(condition, event.userId);
          return holds(condition, condition.property === 'event.entity' ? event.entity : event.eventType);
        }),
      )
      .map((event) => presentEvent(origin, event));
    return { type: 'list', data, links: { self: `${api}/events` } };
  });

  app.get<{ Params: { id: string } }>('/events/:id', async ({ params }) => {
    const event = findEvent(db, params.id);
    if (event === undefined || event.createdAt < clock.now() - weekMs)
      throw notFound('Requested event does not exist.');
    return presentEvent(origin, event);
  });
}
