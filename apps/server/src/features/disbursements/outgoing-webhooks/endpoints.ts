import { randomBytes, randomUUID } from 'node:crypto';
import { maxWebhookOverlapHours } from '@sparechange/contract/console';
import type { EventType } from '@sparechange/contract/program-events';
import { type Actor, appendOperatorsAct } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import type { Clock } from '#ports/clock.ts';
import type { WebhookReceivers } from '#ports/webhook-receiver.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { queueAgain } from './delivery-repository.ts';
import { endEndpoint, insertEndpoint, replaceEndpointSecret, setPause } from './endpoint-repository.ts';

/** Returns a new secret in the form of Standard Webhooks. */
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export interface EndpointDeps {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
  webhookReceivers: WebhookReceivers;
}

/** A secret that is shown once. */
export interface ShownSecret {
  id: string;
  secret: string;
}

const hourMs = 3_600_000;
const maxUrlLength = 500;

const contextOf = (id: string): string => `webhook endpoint ${id} secret`;

export const readSecret = (encryption: FieldEncryption, id: string, encrypted: Uint8Array): string =>
  encryption.decrypt(encrypted, contextOf(id));

/** Returns a callable address; throws InvalidInput for any other text. */
function addressOf({ webhookReceivers }: EndpointDeps, text: string): URL {
  const url = URL.canParse(text) && text.length <= maxUrlLength ? new URL(text) : undefined;
  const problem = url ? webhookReceivers.problemOf(url) : 'it is no address';
  if (!url || problem) throw new InvalidInput(`Nothing can be delivered there: ${problem}.`, { url: String(problem) });
  return url;
}

export interface NewEndpointRequest {
  url: string;
  types: EventType[];
  /** Restricts it to events of a club and those under it. */
  clubId?: string | undefined;
}

/**
 * Adds an endpoint for events from now on; its secret is in this answer and nowhere else. Throws InvalidInput and
 * NotFound.
 */
export async function addEndpoint(
  deps: EndpointDeps,
  { url, types, clubId }: NewEndpointRequest,
  by: Actor,
): Promise<ShownSecret> {
  const { db, clock, encryption } = deps;
  const address = addressOf(deps, url);
  if (types.length === 0)
    throw new InvalidInput('An endpoint needs at least one type of event.', { types: 'Please choose at least one' });
  const club = clubId === undefined ? undefined : await findClub(db, clubId.toLowerCase());
  if (clubId !== undefined && !club) throw new NotFound('The club');
  const [id, secret, createdAt] = [randomUUID(), newWebhookSecret(), clock.now()];
  const endpoint = { id, url: address.href, types: [...new Set(types)], clubId: club?.id ?? null, createdAt };
  await db.begin(async (tx) => {
    await insertEndpoint(tx, { ...endpoint, secret: encryption.encrypt(secret, contextOf(id)) });
    const details = { endpoint: id, host: address.host, types: endpoint.types.join(' '), club: endpoint.clubId };
    await appendOperatorsAct(tx, { at: createdAt, by, action: 'webhook endpoint added', details });
  });
  return { id, secret };
}

/**
 * Replaces an endpoint's secret; for some hours both sign, so that the receiver can change over. Throws NotFound and
 * InvalidInput.
 */
export async function rotateEndpoint(
  { db, clock, encryption }: EndpointDeps,
  { id, overlapHours }: { id: string; overlapHours: number },
  by: Actor,
): Promise<ShownSecret> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > maxWebhookOverlapHours)
    throw new InvalidInput(`Both secrets sign for 0 to ${maxWebhookOverlapHours} hours.`, {
      overlapHours: 'out of range',
    });
  const [secret, now] = [newWebhookSecret(), clock.now()];
  const formerUntil = new Date(now.getTime() + overlapHours * hourMs);
  await db.begin(async (tx) => {
    const encrypted = encryption.encrypt(secret, contextOf(id));
    if (!(await replaceEndpointSecret(tx, { id, secret: encrypted, formerUntil })))
      throw new NotFound(`The endpoint ${id}`);
    await appendOperatorsAct(tx, { at: now, by, action: 'webhook secret rotated', details: { endpoint: id } });
  });
  return { id, secret };
}

/** Pauses an endpoint, whose events are then stored, or resumes it. Throws NotFound. */
export async function setEndpointPaused(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  { id, isPaused }: { id: string; isPaused: boolean },
  by: Actor,
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await setPause(tx, id, isPaused, now))) throw new NotFound(`The endpoint ${id}`);
    const action = isPaused ? 'webhook endpoint paused' : 'webhook endpoint resumed';
    await appendOperatorsAct(tx, { at: now, by, action, details: { endpoint: id } });
  });
}

/** Removes an endpoint, and events still to be delivered to it. Throws NotFound. */
export async function removeEndpoint({ db, clock }: EndpointDeps, id: string, by: Actor): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await endEndpoint(tx, id, now))) throw new NotFound(`The endpoint ${id}`);
    await appendOperatorsAct(tx, { at: now, by, action: 'webhook endpoint removed', details: { endpoint: id } });
  });
}

/**
 * Queues an endpoint's parked events, or one event, for three more days; returns their number. Throws NotFound for an
 * event it never got.
 */
export async function replay(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  { endpointId, eventId }: { endpointId: string; eventId?: string | undefined },
  by: Actor,
): Promise<number> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const queued = await queueAgain(tx, endpointId, eventId, at);
    if (queued === 0 && eventId !== undefined) throw new NotFound('A delivery of that event to that endpoint');
    const details = { endpoint: endpointId, event: eventId ?? null, queued };
    await appendOperatorsAct(tx, { at, by, action: 'webhooks replayed', details });
    return queued;
  });
}
