import { z } from 'zod';
import { operation } from './operation.ts';
import { text } from './text.ts';

export const Club = z.object({ _id: z.string(), name: z.string() });
export type Club = z.infer<typeof Club>;

/** A club in the list to choose from. */
export const ListedClub = Club.extend({ suburb: z.string().nullable(), logoURL: z.string().nullable() });
export type ListedClub = z.infer<typeof ListedClub>;

/** Counted once a day, in whole dollars. */
const ClubFigures = z.object({
  raisedDollars: z.int(),
  supporters: z.int().min(5),
  monthDollars: z.int().min(1).optional().describe('of the present month'),
  goalDollars: z.int().min(1).optional(),
});
export type ClubFigures = z.infer<typeof ClubFigures>;

/** The public page of a club or a brand. */
export const ClubPage = z.object({
  name: z.string(),
  about: z.string().nullable().describe('one paragraph'),
  suburb: z.string().nullable(),
  sport: z.string().nullable(),
  logoURL: z.string().nullable(),
  pictureURL: z.string().nullable(),
  abn: z.string().nullable(),
  figures: ClubFigures.nullable().describe('null with fewer than five supporters'),
});
export type ClubPage = z.infer<typeof ClubPage>;

/** The public page of an address. */
export interface Landing {
  page: ClubPage;
  /** The club that "Start rounding up" registers for; null for a brand, whose settings say it. */
  clubId: string | null;
  hasEnded: boolean;
}

/** The pages that the server puts into the document of an address. */
export interface Landings {
  /** The one address of the page for search engines and shared links, on whichever host it is shown. */
  address: string;
  brand: Landing;
  /** The club of the slug in the address; null for one that no club has. */
  club?: { slug: string; landing: Landing | null };
  /** The company that runs the product. */
  provider: { name: string; abn: string | null };
}

const hasEnded = z.literal(true).optional().describe('its campaign is over: no registrations and no gifts');

/** The frequency of a club's remittance advices. */
export const AdviceFrequency = z.enum(['each_payout', 'weekly', 'monthly']);
export type AdviceFrequency = z.infer<typeof AdviceFrequency>;

export const setAdviceFrequencyByLink = operation({
  name: 'setAdviceFrequencyByLink',
  method: 'POST',
  path: '/clubs/set-advice-frequency-by-link',
  access: 'open',
  summary: 'Sets how often the club of an emailed link is emailed its remittance advices. No sign-in is needed.',
  refusals: { 404: 'the link is not ours' },
  input: z.object({ token: text(200).min(1).describe('of the mailed link'), frequency: AdviceFrequency }),
  output: z.object({ club: z.string().describe('its name') }),
});

export const findClubBySlug = operation({
  name: 'findClubBySlug',
  method: 'POST',
  path: '/clubs/find',
  access: 'open',
  summary: 'The id and the public page of the club with that slug; 404 when there is none.',
  refusals: { 404: 'no club has that slug' },
  input: z.object({ club: text(80).min(1) }),
  output: z.object({ clubId: z.string(), page: ClubPage, hasEnded }),
});

export const retrieveClubs = operation({
  name: 'retrieveClubs',
  method: 'GET',
  path: '/clubs/retrieve',
  access: 'open',
  summary: 'All clubs by name, or those under one parent, without those whose campaign has ended.',
  input: z.object({ parentClubId: text(80).optional() }),
  output: z.object({ clubs: z.array(ListedClub) }),
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
    document: Club.extend({
      parent_club: z.string().nullable(),
      slug: z.string().optional(),
      logoURL: z.string().nullish(),
      figures: ClubFigures.nullish(),
      hasEnded,
    }),
  }),
});
