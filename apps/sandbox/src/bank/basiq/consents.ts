import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Db, table } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { BasiqProblem, listOf, notFound, parse } from './answers.ts';
import { listConnections, listLiveConnections, permitUntil, purgeConnection } from './connections.ts';
import { type EventType, emit } from './events.ts';
import { getUser } from './users.ts';

export interface Consent {
  id: string;
  userId: string;
  status: 'active' | 'revoked' | 'expired';
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

const consents = table<Consent>('consents');

const dayMs = 86_400_000;
export const yearMs = 365 * dayMs;

export const listConsents = (db: Db, userId: string): Consent[] =>
  consents.list(db, { userId }, 'order by created_at desc, rowid desc');

export const findActiveConsent = (db: Db, userId: string): Consent | undefined =>
  listConsents(db, userId).find(({ status }) => status === 'active');

/** Returns the consent in force or a new one-year consent. */
export function giveConsent(world: World, userId: string, at: number): void {
  if (findActiveConsent(world.db, userId) !== undefined) return;
  const id = randomUUID();
  const times = { createdAt: at, updatedAt: at, expiresAt: at + yearMs, revokedAt: null };
  consents.insert(world.db, { id, userId, status: 'active', ...times });
  announce(world, id, 'consent.created', at);
}

/** Another full term, counted from now. */
export function extendConsent(world: World, { id }: Consent, at: number): void {
  consents.update(world.db, { id }, { expiresAt: at + yearMs, updatedAt: at });
  announce(world, id, 'consent.updated', at);
}

/** Ends a consent; Basiq drops its connections and their data. */
export function endConsent(world: World, { id, userId, status }: Consent, as: 'revoked' | 'expired', at: number): void {
  if (status !== 'active') return;
  const { db } = world;
  consents.update(db, { id }, { status: as, updatedAt: at, revokedAt: as === 'revoked' ? at : null });
  for (const connection of listConnections(db, userId)) purgeConnection(world, connection, at);
  announce(world, id, `consent.${as}`, at);
}

/**
 * Lets an active consent, and what the banks still permit on it, end in `days` days, as if most of its year were over.
 */
function endConsentIn(world: World, { id, userId }: Consent, days: number, at: number): void {
  const expiresAt = at + days * dayMs;
  consents.update(world.db, { id }, { expiresAt });
  const active = listLiveConnections(world.db, userId).filter(({ status }) => status === 'active');
  for (const connection of active) permitUntil(world, connection.id, expiresAt);
  announce(world, id, 'consent.updated', at);
}

/** Applies a change that only /control asks for. */
export function changeConsent(
  world: World,
  consent: Consent,
  change: { action: 'expire' | 'revoke' } | { action: 'end-in'; days: number },
): Consent {
  const now = world.clock.now();
  if (change.action === 'end-in') endConsentIn(world, consent, change.days, now);
  else {
    if (change.action === 'expire') consents.update(world.db, { id: consent.id }, { expiresAt: now });
    endConsent(world, consent, change.action === 'expire' ? 'expired' : 'revoked', now);
  }
  return getConsent(world.db, consent.id);
}

function getConsent(db: Db, id: string): Consent {
  const consent = consents.find(db, { id });
  if (consent === undefined) throw notFound('consent');
  return consent;
}

const pathOf = ({ userId, id }: Consent): string => `/users/${userId}/consents/${id}`;

/** Announces a change and schedules an active consent's next dates. */
function announce(world: World, id: string, type: EventType, at: number): void {
  const consent = getConsent(world.db, id);
  emit(world, type, consent.userId, pathOf(consent), at, presentConsent(world.origin, consent));
  if (consent.status !== 'active') return;
  world.scheduler.schedule('consent expires', consent.expiresAt, id);
  world.scheduler.schedule('consent warning', consent.expiresAt - 7 * dayMs, id);
  world.scheduler.schedule('consent reminder', consent.updatedAt + 90 * dayMs, id);
}

/** Acts on scheduled events only while their consent is unchanged. */
export function watchConsents(world: World): void {
  const onUnchanged = (
    kind: string,
    dueAt: (consent: Consent) => number,
    then: (consent: Consent, at: number) => void,
  ) =>
    world.scheduler.on(kind, (id, at) => {
      const consent = consents.find(world.db, { id });
      if (consent?.status === 'active' && dueAt(consent) === at) then(consent, at);
    });
  const emitting = (type: EventType) => (consent: Consent, at: number) =>
    emit(world, type, consent.userId, pathOf(consent), at);
  const expire = (consent: Consent, at: number) => endConsent(world, consent, 'expired', at);
  onUnchanged('consent expires', ({ expiresAt }) => expiresAt, expire);
  onUnchanged('consent warning', ({ expiresAt }) => expiresAt - 7 * dayMs, emitting('consent.warning'));
  onUnchanged('consent reminder', ({ updatedAt }) => updatedAt + 90 * dayMs, emitting('consent.reminder'));
}

const permission = (scope: string, entity: string, name: string, description: string, attributeList: string[]) => ({
  scope,
  required: true,
  consented: true,
  entity,
  information: { name, description, attributeList },
  purpose: { title: name, description },
});

/** The permissions asked for: no names, addresses or contact details. */
const permissions = [
  permission('account.basic', 'account', 'Account name, type and balance', 'Used to list your accounts.', [
    'Name of account',
    'Type of account',
    'Account balance',
  ]),
  permission('account.detail', 'account', 'Account balance and details', 'Used to set up the direct debit.', [
    'Account number',
    'Interest rates',
    'Fees',
  ]),
  permission('transaction.detail', 'transaction', 'Transaction details', 'Used to work out your spare change.', [
    'Incoming and outgoing transactions',
    'Amounts',
    'Dates',
    'Descriptions of transactions',
  ]),
];

const primaryPurpose = {
  title: 'Share your financial data',
  description: 'We need your accounts and transactions to work out your round-ups.',
};

const presentConsent = (origin: string, consent: Consent) => ({
  type: 'consent',
  id: consent.id,
  created: isoInstant(consent.createdAt),
  updated: isoInstant(consent.updatedAt),
  expiryDate: isoInstant(consent.expiresAt),
  origin: 'user',
  status: consent.status,
  purpose: { primary: primaryPurpose, other: null },
  data: { retainData: false, initialRetrievalDays: 730, organisation: null, permissions },
  ...(consent.revokedAt === null ? {} : { revoked: isoInstant(consent.revokedAt) }),
  links: {
    self: `${origin}/basiq${pathOf(consent)}`,
    consentPolicy: `${origin}/basiq/policies/p1`,
    latestConsentPolicy: `${origin}/basiq/policies/p1`,
  },
});

/** The other way into the consent pages: a link for one use, of which a user has only the newest. */
interface AuthLink {
  id: string;
  userId: string;
  mobile: string;
  expiresAt: number;
}

const authLinks = table<AuthLink>('auth_links');

/** Uses a link up and returns it. */
export function takeAuthLink(db: Db, id: string, now: number): AuthLink | undefined {
  const link = authLinks.select(db, 'where id = ? and expires_at > ?', id, now)[0];
  if (link !== undefined) authLinks.remove(db, { id });
  return link;
}

interface Path {
  Params: { userId: string; consentId: string };
}

export function consentRoutes(app: FastifyInstance, world: World): void {
  const { db, clock, origin } = world;

  app.get<Path>('/users/:userId/consents', async ({ params: { userId } }) => {
    getUser(db, userId);
    const data = listConsents(db, userId).map((consent) => presentConsent(origin, consent));
    return listOf(`${origin}/basiq/users/${userId}/consents`, data, 'size');
  });

  app.delete<Path>('/users/:userId/consents/:consentId', async ({ params: { userId, consentId } }, reply) => {
    const consent = getConsent(db, consentId);
    if (consent.userId !== userId) throw notFound('consent');
    db.atomically(() => endConsent(world, consent, 'revoked', clock.now()));
    return reply.status(204).send();
  });

  const present = ({ id, userId, mobile, expiresAt }: AuthLink) => ({
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
    const link = { id: randomUUID().slice(0, 8), userId, mobile, expiresAt: clock.now() + 7 * dayMs };
    return reply.status(201).send(present(authLinks.replace(db, link)));
  });

  app.get<Path>('/users/:userId/auth_link', async ({ params: { userId } }) => {
    getUser(db, userId);
    const link = authLinks.find(db, { userId });
    if (link === undefined) throw notFound('auth link');
    if (link.expiresAt > clock.now()) return present(link);
    const title = 'Resource no longer available.';
    throw new BasiqProblem(410, 'resource-no-longer-available', title, 'The auth link has expired.');
  });

  app.delete<Path>('/users/:userId/auth_link', async ({ params: { userId } }, reply) => {
    if (authLinks.remove(db, { userId }) === 0) throw notFound('auth link');
    return reply.status(204).send();
  });
}
