import { z } from 'zod';
import { clubFacts } from '../club-facts.ts';
import { text } from '../text.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

/** A club that asks to join, confirmed by its contact. */
export const ClubRequest = z.object({
  id: z.uuid(),
  name: z.string(),
  abn: z.string(),
  suburb: z.string(),
  purpose: z.string(),
  contactName: z.string(),
  email: z.string(),
  tenantKey: z.string().describe('on whose pages it asked'),
  askedAt: z.iso.datetime(),
});
export type ClubRequest = z.infer<typeof ClubRequest>;

/** Lists clubs that ask to join and wait for an operator, oldest request first. */
export const listClubRequests = consoleOperation({
  name: 'listClubRequests',
  method: 'GET',
  path: '/club-requests',
  allowed: ['owner', 'support'],
  readsOnly: true,
  follows: ['club_requests'],
  input: Paged,
  output: pageOf(ClubRequest).extend({ count: z.number().describe('of all that wait') }),
});

const requestId = z.uuid();

export const AbnAnswer = z.object({
  state: z.enum(['active', 'cancelled', 'unknown', 'unavailable', 'not_configured']),
  name: z.string().nullable(),
});
export type AbnAnswer = z.infer<typeof AbnAnswer>;

/** Looks up the holder of a request's ABN in the Australian Business Register, where that is configured. */
export const lookUpAbn = consoleOperation({
  name: 'lookUpAbn',
  method: 'GET',
  path: '/club-requests/abn',
  allowed: ['owner'],
  readsOnly: true,
  follows: 'nothing',
  input: z.object({ requestId }),
  example: { requestId: exampleId },
  output: AbnAnswer,
});

/** Adds a requested club to a brand; emails its contact. */
export const approveClubRequest = consoleOperation({
  name: 'approveClubRequest',
  method: 'POST',
  path: '/club-requests/approve',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['requestId', 'tenant', 'slug'],
  words: 'Approved a club that asked to join',
  input: z.object({
    requestId,
    tenant: text(80).min(1),
    name: clubFacts.name.typed,
    slug: clubFacts.slug.typed,
  }),
  example: { requestId: exampleId, tenant: 'default', name: 'Bay Rovers', slug: `club-${freshId}` },
  output: z.object({ clubId: z.uuid() }),
});

/** Refuses a request; the reason is emailed to the contact. */
export const refuseClubRequest = consoleOperation({
  name: 'refuseClubRequest',
  method: 'POST',
  path: '/club-requests/refuse',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['requestId'],
  words: 'Refused a club that asked to join',
  input: z.object({ requestId, reason: text(300).trim().min(1, 'Please say why') }),
  example: { requestId: exampleId, reason: 'The ABN is not yours.' },
  output: z.object({}),
});
