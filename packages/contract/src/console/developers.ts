import { z } from 'zod';
import { EventType } from '../program-events.ts';
import { KeyScope } from '../programs.ts';
import { text } from '../text.ts';
import { webhookTables } from './follows.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

const instant = z.iso.datetime();
const club = z.object({ id: z.uuid(), name: z.string() }).nullable();

/** Scopes of a key in words, after "may". */
export const scopeNames: Record<KeyScope, string> = {
  read_clubs: 'read clubs',
  read_payouts: 'read payouts',
  read_totals: 'read totals',
  write_clubs: 'change clubs’ pages',
};
export const scopesInWords = (scopes: readonly KeyScope[]): string =>
  scopes.map((scope) => scopeNames[scope]).join(', ');

/** A request that waits for a second person. */
export const Asked = z.object({ id: z.uuid(), expiresAt: instant });
export type Asked = z.infer<typeof Asked>;

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(KeyScope),
  club,
  state: z.enum(['valid', 'expired', 'revoked']),
  createdAt: instant,
  expiresAt: instant,
  usedAt: instant.nullable(),
  formerUntil: instant.nullable().describe('the former secret is valid until then'),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Lists all keys, on one page. */
export const listApiKeys = consoleOperation({
  name: 'listApiKeys',
  method: 'GET',
  path: '/developers/keys',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['api_keys', 'clubs'],
  input: z.object({}),
  output: pageOf(ApiKey),
});

/** A key as it is shown, once, or the request of one that writes. */
const KeyOrAsked = z.object({
  key: z.object({ id: z.string(), text: z.string(), expiresAt: instant }).nullable(),
  asked: Asked.nullable(),
});
export type KeyOrAsked = z.infer<typeof KeyOrAsked>;

const keyId = text(40);
/** Days for which a key may be valid. */
export const maxKeyDays = 730;
/** Hours for which a former secret of a key stays valid beside the new one. */
export const maxKeyOverlapHours = 30 * 24;
/** Hours for which a former secret of an endpoint signs beside the new one. */
export const maxWebhookOverlapHours = 7 * 24;

const daysWords = `Please enter 1 to ${maxKeyDays} days`;
const days = z.int(daysWords).min(1, daysWords).max(maxKeyDays, daysWords);
const overlapUpTo = (most: number) => {
  const words = `Please enter 0 to ${most} hours`;
  return z.int(words).min(0, words).max(most, words);
};

export const createApiKey = consoleOperation({
  name: 'createApiKey',
  method: 'POST',
  path: '/developers/keys/create',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['name', 'scopes', 'clubId', 'days'],
  words: 'Asked for an API key',
  input: z.object({
    name: text(80).trim().min(1, 'Please enter a name'),
    scopes: z.array(KeyScope).min(1, 'Please choose what the key may do').max(KeyScope.options.length),
    clubId: z.uuid().optional(),
    days,
  }),
  example: { name: `Books ${freshId}`, scopes: ['write_clubs'], days: 30 },
  output: KeyOrAsked,
});

export const rotateApiKey = consoleOperation({
  name: 'rotateApiKey',
  method: 'POST',
  path: '/developers/keys/rotate',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['id', 'days', 'overlapHours'],
  words: 'Asked for another secret of an API key',
  input: z.object({ id: keyId, days, overlapHours: overlapUpTo(maxKeyOverlapHours) }),
  example: { id: '0123456789ab', days: 30, overlapHours: 24 },
  output: KeyOrAsked,
});

export const revokeApiKey = consoleOperation({
  name: 'revokeApiKey',
  method: 'POST',
  path: '/developers/keys/revoke',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['id'],
  words: 'Revoked an API key',
  input: z.object({ id: keyId }),
  example: { id: '0123456789ab' },
  output: z.object({}),
});

/** Where programs find the description of the API. */
export const retrieveProgramApi = consoleOperation({
  name: 'retrieveProgramApi',
  method: 'GET',
  path: '/developers/api',
  allowed: ['owner'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({}),
  output: z.object({ url: z.string(), descriptionUrl: z.string() }),
});

export const WebhookEndpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  types: z.array(EventType),
  club,
  pausedAt: instant.nullable(),
  formerUntil: instant.nullable().describe('the former secret signs as well until then'),
  waiting: z.int(),
  parked: z.int(),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Lists the endpoints that were not removed, on one page. */
export const listWebhookEndpoints = consoleOperation({
  name: 'listWebhookEndpoints',
  method: 'GET',
  path: '/developers/endpoints',
  allowed: ['owner'],
  readsOnly: true,
  follows: webhookTables,
  input: z.object({}),
  output: pageOf(WebhookEndpoint),
});

const endpointId = z.uuid();
const ShownSecret = z.object({ id: z.uuid(), secret: z.string() });

export const addWebhookEndpoint = consoleOperation({
  name: 'addWebhookEndpoint',
  method: 'POST',
  path: '/developers/endpoints/add',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['types', 'clubId'],
  words: 'Added a webhook endpoint',
  input: z.object({
    url: text(500).trim().min(1, 'Please enter an address'),
    types: z.array(EventType).min(1, 'Please choose events').max(EventType.options.length),
    clubId: z.uuid().optional(),
  }),
  example: { url: 'http://127.0.0.1:1/hook', types: ['club.changed'] },
  output: ShownSecret,
});

/** Posts a signed event of the type `test`; nothing of it is kept. */
export const testWebhookEndpoint = consoleOperation({
  name: 'testWebhookEndpoint',
  method: 'POST',
  path: '/developers/endpoints/test',
  allowed: ['owner'],
  audited: ['endpointId'],
  words: 'Sent a test event',
  input: z.object({ endpointId }),
  example: { endpointId: exampleId },
  output: z.object({ status: z.int().nullable(), durationMs: z.int(), answer: z.string() }),
});

export const pauseWebhookEndpoint = consoleOperation({
  name: 'pauseWebhookEndpoint',
  method: 'POST',
  path: '/developers/endpoints/pause',
  allowed: ['owner'],
  audited: ['endpointId', 'isPaused'],
  words: 'Paused or resumed a webhook endpoint',
  input: z.object({ endpointId, isPaused: z.boolean() }),
  example: { endpointId: exampleId, isPaused: true },
  output: z.object({}),
});

export const rotateWebhookSecret = consoleOperation({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/developers/endpoints/rotate',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['endpointId', 'overlapHours'],
  words: 'Rotated a webhook secret',
  input: z.object({ endpointId, overlapHours: overlapUpTo(maxWebhookOverlapHours) }),
  example: { endpointId: exampleId, overlapHours: 24 },
  output: ShownSecret,
});

export const removeWebhookEndpoint = consoleOperation({
  name: 'removeWebhookEndpoint',
  method: 'POST',
  path: '/developers/endpoints/remove',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['endpointId'],
  words: 'Removed a webhook endpoint',
  input: z.object({ endpointId }),
  example: { endpointId: exampleId },
  output: z.object({}),
});

/** A delivery's state: still tried, given up after three days, or ended with its endpoint. */
export const DeliveryState = z.enum(['delivered', 'waiting', 'parked', 'ended']);
export type DeliveryState = z.infer<typeof DeliveryState>;

export const WebhookAttempt = z.object({
  id: z.string(),
  endpointId: z.uuid(),
  url: z.string(),
  eventId: z.uuid(),
  type: EventType,
  at: instant,
  status: z.int().nullable().describe('null: there was no answer'),
  durationMs: z.int(),
  answer: z.string().describe('its beginning'),
  state: DeliveryState,
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** Lists attempts to deliver events, the newest first. */
export const listWebhookAttempts = consoleOperation({
  name: 'listWebhookAttempts',
  method: 'GET',
  path: '/developers/attempts',
  allowed: ['owner'],
  readsOnly: true,
  follows: ['webhook_attempts', 'webhook_events', ...webhookTables],
  input: Paged.extend({
    after: text(18)
      .regex(/^\d{1,18}$/)
      .optional(),
    endpointId: endpointId.optional(),
  }),
  output: pageOf(WebhookAttempt),
});

/** Delivers again what was given up for an endpoint, or one event regardless of its outcome. */
export const replayWebhooks = consoleOperation({
  name: 'replayWebhooks',
  method: 'POST',
  path: '/developers/replay',
  allowed: ['owner'],
  audited: ['endpointId', 'eventId'],
  words: 'Delivered webhooks again',
  input: z.object({ endpointId, eventId: z.uuid().optional() }),
  example: { endpointId: exampleId },
  output: z.object({ queued: z.int() }),
});
