import { randomUUID } from 'node:crypto';
import type { Db } from '#world/database.ts';
import { isoInstant } from '#world/days.ts';
import type { World } from '#world/world.ts';
import { endPermission, listConnections, listLiveConnections, permitUntil, removeConnection } from './connections.ts';
import { type EventType, emit } from './events.ts';
import { permissions } from './permissions.ts';

export interface Consent {
  id: string;
  userId: string;
  status: 'active' | 'revoked' | 'expired';
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

const dayMs = 86_400_000;
export const consentDays = 365;

const columns = `id, user_id as userId, status, created_at as createdAt, updated_at as updatedAt, expires_at as expiresAt,
  revoked_at as revokedAt`;

export const listConsents = (db: Db, userId: string): Consent[] =>
  db.all<Consent>(`select ${columns} from consents where user_id = ? order by created_at desc, rowid desc`, userId);

export const findActiveConsent = (db: Db, userId: string): Consent | undefined =>
  listConsents(db, userId).find(({ status }) => status === 'active');

export const findConsent = (db: Db, id: string): Consent | undefined =>
  db.find<Consent>(`select ${columns} from consents where id = ?`, id);

/** Returns the consent in force or a new one-year consent. */
export function giveConsent(world: World, userId: string, at: number): Consent {
  const active = findActiveConsent(world.db, userId);
  if (active !== undefined) return active;
  const id = randomUUID();
  world.db.run(
    `insert into consents (id, user_id, status, created_at, updated_at, expires_at) values (?, ?, 'active', ?, ?, ?)`,
    id,
    userId,
    at,
    at,
    at + consentDays * dayMs,
  );
  return announce(world, id, 'consent.created', at);
}

/** Another full term, counted from now. */
export function extendConsent(world: World, consent: Consent, at: number): Consent {
  const expiresAt = at + consentDays * dayMs;
  world.db.run('update consents set expires_at = ?, updated_at = ? where id = ?', expiresAt, at, consent.id);
  return announce(world, consent.id, 'consent.updated', at);
}

/** Ends a consent; Basiq drops its connections and their data. */
export function endConsent(world: World, consent: Consent, as: 'revoked' | 'expired', at: number): void {
  if (consent.status !== 'active') return;
  const { db } = world;
  db.run(
    'update consents set status = ?, updated_at = ?, revoked_at = ? where id = ?',
    as,
    at,
    as === 'revoked' ? at : null,
    consent.id,
  );
  for (const connection of listConnections(db, consent.userId)) {
    removeConnection(db, connection.id);
    const path = `/users/${consent.userId}/connections/${connection.id}`;
    emit(world, 'connection.deleted', { userId: consent.userId, path }, at);
  }
  announce(world, consent.id, `consent.${as}`, at);
}

/** Ends a consent now, as if its year were over. */
export function expireConsentNow(world: World, consent: Consent, at: number): void {
  world.db.run('update consents set expires_at = ? where id = ?', at, consent.id);
  endConsent(world, consent, 'expired', at);
}

/** Lets an active consent, and what the banks still permit on it, end so many days from now, as if most of its year were over. */
export function endConsentIn(world: World, { id, userId }: Consent, days: number, at: number): void {
  const expiresAt = at + days * dayMs;
  world.db.run('update consents set expires_at = ? where id = ?', expiresAt, id);
  const active = listLiveConnections(world.db, userId).filter(({ status }) => status === 'active');
  for (const connection of active) permitUntil(world, connection.id, expiresAt);
  announce(world, id, 'consent.updated', at);
}

/** Announces a change and schedules an active consent's next dates. */
function announce(world: World, id: string, type: EventType, at: number): Consent {
  const consent = findConsent(world.db, id);
  if (consent === undefined) throw new Error(`Consent ${id} is gone.`);
  emit(
    world,
    type,
    {
      userId: consent.userId,
      path: `/users/${consent.userId}/consents/${id}`,
      data: presentConsent(world.origin, consent),
    },
    at,
  );
  if (consent.status === 'active') {
    world.agenda.schedule('consent expires', consent.expiresAt, id);
    world.agenda.schedule('consent warning', consent.expiresAt - 7 * dayMs, id);
    world.agenda.schedule('consent reminder', consent.updatedAt + 90 * dayMs, id);
  }
  return consent;
}

/** The bank's own permission ends, whatever the consent says. */
export function invalidateConnection(world: World, { id, userId }: { id: string; userId: string }, at: number): void {
  endPermission(world.db, id, at);
  emit(world, 'connection.invalidated', { userId, path: `/users/${userId}/connections/${id}` }, at);
}

/** Acts on agenda entries only while their consent is unchanged. */
export function watchConsents(world: World): void {
  const { agenda, db } = world;
  const whenStill = (kind: string, dueAt: (consent: Consent) => number, then: (consent: Consent, at: number) => void) =>
    agenda.when(kind, (id, at) => {
      const consent = findConsent(db, id);
      if (consent?.status === 'active' && dueAt(consent) === at) then(consent, at);
    });
  const tell = (type: EventType) => (consent: Consent, at: number) =>
    emit(world, type, { userId: consent.userId, path: `/users/${consent.userId}/consents/${consent.id}` }, at);

  whenStill(
    'consent expires',
    ({ expiresAt }) => expiresAt,
    (consent, at) => endConsent(world, consent, 'expired', at),
  );
  whenStill('consent warning', ({ expiresAt }) => expiresAt - 7 * dayMs, tell('consent.warning'));
  whenStill('consent reminder', ({ updatedAt }) => updatedAt + 90 * dayMs, tell('consent.reminder'));

  agenda.when('connection expires', (id, at) => {
    const connection = db.find<{ userId: string; expiresAt: number; status: string }>(
      'select user_id as userId, expires_at as expiresAt, status from connections where id = ?',
      id,
    );
    if (connection?.status !== 'active' || connection.expiresAt !== at) return;
    invalidateConnection(world, { id, userId: connection.userId }, at);
  });
}

export const presentConsent = (origin: string, consent: Consent) => ({
  type: 'consent',
  id: consent.id,
  created: isoInstant(consent.createdAt),
  updated: isoInstant(consent.updatedAt),
  expiryDate: isoInstant(consent.expiresAt),
  origin: 'user',
  status: consent.status,
  purpose: {
    primary: {
      title: 'Share your financial data',
      description: 'We need your accounts and transactions to work out your round-ups.',
    },
    other: null,
  },
  data: { retainData: false, initialRetrievalDays: 730, organisation: null, permissions },
  ...(consent.revokedAt === null ? {} : { revoked: isoInstant(consent.revokedAt) }),
  links: {
    self: `${origin}/basiq/users/${consent.userId}/consents/${consent.id}`,
    consentPolicy: `${origin}/basiq/policies/p1`,
    latestConsentPolicy: `${origin}/basiq/policies/p1`,
  },
});
