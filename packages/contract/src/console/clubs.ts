import { z } from 'zod';
import { clubFacts, shapeOf } from '../club-facts.ts';
import { day } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { clubFigures, supporterFigures } from './follows.ts';
import { consoleOperation, exampleId, freshId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';

/** A viewer is shown neither contact nor account, and no count of fewer than five supporters. */
const looking = ['owner', 'finance', 'support', 'viewer'] as const;

/** Filters clubs: those that take gifts or have ended, or by their bank details. */
export const ClubState = z.enum(['active', 'ended', 'without_account', 'account_changing']);
export type ClubState = z.infer<typeof ClubState>;

/** Orders of the list of clubs; with a minus, the last name or the largest sum comes first. */
export const ClubSort = z.enum(['name', '-name', 'raised', '-raised']);
export type ClubSort = z.infer<typeof ClubSort>;

const tenantKey = text(80).min(1);
const Named = z.object({ id: z.uuid(), name: z.string() });
const supporters = z
  .int()
  .nullable()
  .describe('for a viewer without clubs of fewer than five; null where none is left');

export const ClubRow = Named.extend({
  slug: z.string(),
  parent: z.string().nullable(),
  suburb: z.string().nullable(),
  tenant: z.string().describe('name of the brand where it is at home'),
  endsOn: z.iso.date().nullable().describe('the day from which it takes no gifts: retired, or its campaign is over'),
  hasEnded: z.boolean(),
  hasAccount: z.boolean(),
  isAccountChanging: z.boolean(),
  monthCents: wholeCents.describe('what cleared in the present month'),
  collectedCents: wholeCents,
  supporters,
});
export type ClubRow = z.infer<typeof ClubRow>;

export const listClubs = consoleOperation({
  name: 'listClubs',
  method: 'GET',
  path: '/clubs',
  allowed: looking,
  readsOnly: true,
  follows: [...clubFigures, 'bank_detail_changes'],
  input: Paged.extend({
    search: text(100).trim().optional(),
    tenant: tenantKey.optional(),
    state: ClubState.optional(),
    supporters: z
      .literal('some')
      .optional()
      .describe('those with supporters; for a viewer those whose number is shown'),
    sort: ClubSort.default('name'),
  }),
  example: { state: 'active', supporters: 'some', sort: '-raised' },
  output: pageOf(ClubRow),
});

export const BrandFigures = z.object({
  id: z.string().describe('the key'),
  name: z.string(),
  clubs: z.int(),
  supporters,
  monthCents: wholeCents,
  collectedCents: wholeCents,
});
export type BrandFigures = z.infer<typeof BrandFigures>;

/** Adds up the clubs of each brand, on one page. */
export const listBrandFigures = consoleOperation({
  name: 'listBrandFigures',
  method: 'GET',
  path: '/clubs/brands',
  allowed: looking,
  readsOnly: true,
  follows: supporterFigures,
  input: z.object({}),
  output: pageOf(BrandFigures),
});

/** Everything that a club's form lets choose from. */
export const retrieveClubChoices = consoleOperation({
  name: 'retrieveClubChoices',
  method: 'GET',
  path: '/clubs/choices',
  allowed: looking,
  readsOnly: true,
  follows: ['clubs'],
  input: z.object({ search: text(100).trim().optional().describe('in the names of parents') }),
  output: z.object({
    tenants: z.array(z.object({ key: z.string(), name: z.string(), parentId: z.uuid().nullable() })),
    parents: z.array(Named),
    hasMoreParents: z.boolean().describe('a search finds those that are left out'),
    logos: z.array(z.string()),
    pictures: z.array(z.string()),
  }),
});

const { parentId: _parentId, ...shownFacts } = shapeOf(clubFacts, 'stored'); // its parent is named

export const retrieveClub = consoleOperation({
  name: 'retrieveClub',
  method: 'GET',
  path: '/clubs/club',
  allowed: looking,
  readsOnly: true,
  follows: [...clubFigures, 'club_slugs', 'closed_days'],
  input: z.object({ clubId: z.uuid() }),
  example: { clubId: exampleId },
  output: Named.extend({
    ...shownFacts,
    address: z.url(),
    tenant: z.string(),
    parent: Named.nullable(),
    account: z.string().nullable().describe('its number masked; null for those who may not see bank details'),
    retiredFrom: z.iso.date().nullable(),
    endsOn: z.iso.date().nullable(),
    hasEnded: z.boolean(),
    today: z.iso.date(),
    supporters,
    collectedCents: wholeCents,
    collectedUntil: day.nullable().describe('the last day that counts in it'),
    inTransitCents: wholeCents,
    remittedCents: wholeCents,
    raisedSince: day.nullable().describe('the day on which its first gift cleared'),
  }),
});
export type ConsoleClub = z.infer<typeof retrieveClub.output>;

/** A club's form; empty fields are none. */
export const ClubForm = z.object(shapeOf(clubFacts, 'typed'));
/** A field of a club's form. */
export const ClubFact = ClubForm.keyof();
export type ClubForm = Record<z.infer<typeof ClubFact>, string>;

export const addClub = consoleOperation({
  name: 'addClub',
  method: 'POST',
  path: '/clubs/add',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['slug', 'parentId'],
  words: 'Added a club',
  input: ClubForm,
  example: {
    name: 'Bay Rovers',
    slug: `club-${freshId}`,
    parentId: '',
    abn: '51 824 753 556',
    contactEmail: 'sam@bay.example',
    about: 'Football by the bay.',
    suburb: 'Bay View',
    sport: 'Football',
    goalDollars: '5000',
    logo: '',
    picture: '',
  },
  output: z.object({ id: z.uuid() }),
});

const clubId = z.uuid();

/** Saves changes of a club's form, unless somebody else changed it too; its former link redirects to the new one. */
export const saveClub = consoleOperation({
  name: 'saveClub',
  method: 'POST',
  path: '/clubs/save',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['clubId', 'slug', 'parentId'],
  words: 'Edited a club',
  input: ClubForm.partial().extend({
    clubId,
    seen: z
      .partialRecord(ClubFact, text(1_000))
      .describe('the previous values of the changed fields; the club is not saved if they have since changed'),
  }),
  example: { clubId: exampleId, suburb: 'Bay View', seen: { suburb: '' } },
  output: z.object({}),
});

/** Ends a club's gifts from a day on. */
export const retireClub = consoleOperation({
  name: 'retireClub',
  method: 'POST',
  path: '/clubs/retire',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['clubId', 'from'],
  words: 'Retired a club',
  input: z.object({ clubId, from: day }),
  example: { clubId: exampleId, from: '2030-01-01' },
  output: z.object({}),
});

/** Takes gifts for a retired club again. */
export const reinstateClub = consoleOperation({
  name: 'reinstateClub',
  method: 'POST',
  path: '/clubs/reinstate',
  allowed: ['owner'],
  isDangerous: true,
  audited: ['clubId'],
  words: 'Reinstated a retired club',
  input: z.object({ clubId }),
  example: { clubId: exampleId },
  output: z.object({}),
});
