import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';

export const Club = z.object({ _id: z.string(), name: z.string() });
export type Club = z.infer<typeof Club>;

const hasEnded = z.literal(true).optional().describe('its campaign is over: nobody registers for it or gives to it');

export const findClubBySlug = operation({
  name: 'findClubBySlug',
  method: 'POST',
  path: '/clubs/find',
  access: 'open',
  summary: 'The id of the club with that slug; 404 when there is none.',
  refusals: { 404: 'no club has that slug' },
  input: z.object({ club: text(80).min(1) }),
  output: z.object({ clubId: z.string(), hasEnded }),
});

export const retrieveClubs = operation({
  name: 'retrieveClubs',
  method: 'GET',
  path: '/clubs/retrieve',
  access: 'open',
  summary: 'All clubs by name, or those under one parent, without those whose campaign has ended.',
  input: z.object({ parentClubId: text(80).optional() }),
  output: z.object({ clubs: z.array(Club) }),
});

export const findClub = operation({
  name: 'findClub',
  method: 'POST',
  path: '/clubs/club',
  access: 'open',
  summary: 'One club with its parent; 404 when there is none.',
  refusals: { 404: 'no club has that id' },
  input: z.object({ clubId: text(80).min(1) }),
  output: z.object({
    document: Club.extend({ parent_club: z.string().nullable(), slug: z.string().optional(), hasEnded }),
  }),
});
