import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { parse } from './access.ts';
import { type AuthLink, findAuthLink, makeAuthLink, removeAuthLink } from './auth-links.ts';
import { endConsent, findConsent, listConsents, presentConsent } from './consents.ts';
import { BasiqProblem, notFound } from './problem.ts';
import { getUser } from './users.ts';

interface Path {
  Params: { userId: string; consentId: string };
}

export function consentRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  app.get<Path>('/users/:userId/consents', async ({ params: { userId } }) => {
    getUser(db, userId);
    const data = listConsents(db, userId).map((consent) => presentConsent(origin, consent));
    return { type: 'list', size: data.length, data, links: { self: `${origin}/basiq/users/${userId}/consents` } };
  });

  app.delete<Path>('/users/:userId/consents/:consentId', async ({ params: { userId, consentId } }, reply) => {
    const consent = findConsent(db, consentId);
    if (consent?.userId !== userId) throw notFound('Requested consent does not exist.');
    db.atomically(() => endConsent(world, consent, 'revoked', clock.now()));
    return reply.status(204).send();
  });

  const presentLink = (userId: string, { id, mobile, expiresAt }: AuthLink) => ({
    type: 'auth_link',
    id,
    userId,
    mobile,
    expiresAt: isoInstant(expiresAt),
    links: { public: `${origin}/link/${id}`, self: `${origin}/basiq/users/${userId}/auth_link` },
  });

  app.post<Path>('/users/:userId/auth_link', async ({ params: { userId }, body }, reply) => {
    const user = getUser(db, userId);
    const { mobile = user.mobile ?? '' } = parse(z.object({ mobile: z.string().optional() }), body);
    const link = makeAuthLink(db, userId, mobile, clock.now());
    return reply.status(201).send(presentLink(userId, link));
  });

  app.get<Path>('/users/:userId/auth_link', async ({ params: { userId } }) => {
    getUser(db, userId);
    const link = findAuthLink(db, userId);
    if (link === undefined) throw notFound('Requested auth link does not exist.');
    if (link.expiresAt <= clock.now()) {
      throw new BasiqProblem(
        410,
        'resource-no-longer-available',
        'Resource no longer available.',
        'The auth link has expired.',
      );
    }
    return presentLink(userId, link);
  });

  app.delete<Path>('/users/:userId/auth_link', async ({ params: { userId } }, reply) => {
    if (!removeAuthLink(db, userId)) throw notFound('Requested auth link does not exist.');
    return reply.status(204).send();
  });
}
