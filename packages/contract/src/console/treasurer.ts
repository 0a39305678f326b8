import { z } from 'zod';
import { ContactEmail, clubFacts } from '../club-facts.ts';
import { AdviceFrequency } from '../clubs.ts';
import { day, writtenDay } from '../day.ts';
import { text } from '../text.ts';
import { wholeCents } from '../whole-cents.ts';
import { FileAnswer } from './file.ts';
import { clubBalances, clubFigures } from './follows.ts';
import { consoleOperation, exampleId } from './operation.ts';
import { Paged, pageOf } from './paging.ts';
import { QrCode } from './qr-code.ts';

/** Input of every call about one club; a treasurer names their own. */
const OfClub = z.object({ clubId: z.uuid() });

const ofClub = { clubField: 'clubId' } as const;
/** For those who look after a club's money: everything but its figures. */
const forKeepers = { ...ofClub, allowed: ['owner', 'finance', 'treasurer'] } as const;
/** Also for support, which clubs ask about them. */
const forReaders = { ...ofClub, allowed: ['owner', 'finance', 'support', 'treasurer'], readsOnly: true } as const;
/** Options of what the club itself decides: finance, which asks for new bank details, does not choose who confirms them. */
const forDeciders = { ...ofClub, allowed: ['owner', 'treasurer'] } as const;
/** Figures without persons: also for viewers. A treasurer who came by an emailed link reads all of these. */
const figures = {
  ...ofClub,
  allowed: ['owner', 'finance', 'support', 'viewer', 'treasurer'],
  readsOnly: true,
} as const;

const end = {
  endsOn: writtenDay.nullable().describe('from which the club takes no more gifts'),
  hasEnded: z.boolean(),
};

export const PeriodFigure = z.object({ from: day, cents: wholeCents });
export type PeriodFigure = z.infer<typeof PeriodFigure>;

export const ClubForecast = z.object({
  from: day.describe('the Monday on which the four weeks begin'),
  lowCents: wholeCents,
  expectedCents: wholeCents,
  highCents: wholeCents,
});
export type ClubForecast = z.infer<typeof ClubForecast>;

/** Returns what a club has raised by month and week, from how many supporters, and a forecast. */
export const retrieveClubFigures = consoleOperation({
  ...figures,
  name: 'retrieveClubFigures',
  method: 'GET',
  path: '/club/figures',
  follows: [...clubFigures, 'remittances', 'remittance_advices', 'closed_days'],
  input: OfClub,
  example: { clubId: exampleId },
  output: z.object({
    until: day.nullable().describe('the last day that is counted'),
    raisedCents: wholeCents,
    raisedSince: day.nullable().describe('the day on which its first gift cleared'),
    goalDollars: clubFacts.goalDollars.stored,
    supporters: z.number().nullable().describe('null for fewer than five'),
    includesClubsUnder: z.boolean().describe('the supporters of the clubs under it are counted as well'),
    months: z.array(PeriodFigure).describe('by their first day; the last is the present one'),
    weeks: z.array(PeriodFigure).describe('by their Monday'),
    forecast: ClubForecast.nullable(),
    ...end,
  }),
});

export const ClubPayout = z.object({
  id: z.uuid(),
  paidOn: day,
  reference: z.string().describe("as shown on the club's bank statement"),
  amountCents: wholeCents,
  state: z.enum(['planned', 'submitting', 'submitted', 'cleared', 'returned', 'reversed', 'refused']),
  isPaidAgain: z.boolean().describe('a later one pays what this one failed to pay'),
  retryOn: day.nullable().describe('from when a failed one is paid again; null while it waits for new bank details'),
});
export type ClubPayout = z.infer<typeof ClubPayout>;

/** The year in which a financial year begins, 1 July. */
const FinancialYear = z.coerce.number().int().min(2000).max(2100);

/** Lists what a club was paid in a financial year, the newest first. */
export const listClubPayouts = consoleOperation({
  ...figures,
  name: 'listClubPayouts',
  method: 'GET',
  path: '/club/payouts',
  follows: ['clubs', 'remittances'],
  input: Paged.extend(OfClub.shape).extend({ year: FinancialYear }),
  example: { clubId: exampleId, year: 2026 },
  output: pageOf(ClubPayout),
});

/** Returns what a club is still to be paid, and the financial years in which it was paid. */
export const retrievePendingPayouts = consoleOperation({
  ...figures,
  name: 'retrievePendingPayouts',
  method: 'GET',
  path: '/club/payouts/pending',
  follows: [...clubBalances, 'remittances'],
  input: OfClub,
  example: { clubId: exampleId },
  output: z.object({
    waitingCents: wholeCents.describe('cleared and not yet sent; below zero where more was taken back'),
    reservedCents: wholeCents.describe('held back for claims of banks'),
    toReserveCents: wholeCents.describe(
      'of what waits: held back as well, as the reserve is not full; below zero where the reserve pays with the next run',
    ),
    retriedCents: wholeCents.describe('of what waits: did not arrive, and is paid again after the next run'),
    retryOn: day.nullable().describe('when the first of that is paid again'),
    clearedTodayCents: wholeCents.describe(
      'of what waits: cleared on the day of the next run, and is sent with the one after',
    ),
    waitsForDetails: z.boolean().describe('a payout did not arrive for its bank details: all that waits needs others'),
    today: day.describe("the product's"),
    nextOn: day.describe('when the rest of what waits is sent'),
    afterNextOn: day.describe('the run after that'),
    hasAccount: z.boolean(),
    onItsWay: z.array(ClubPayout).describe('planned or sent, and not yet known to have arrived, the oldest first'),
    years: z
      .array(FinancialYear)
      .describe('every one from that of the first payout to the present one; the newest first'),
  }),
});

export const BookFormat = z.enum(['pdf', 'csv', 'xero', 'myob', 'ofx', 'camt053', 'journal']);
export type BookFormat = z.infer<typeof BookFormat>;

const account = text(30).trim();
/** Names the accounts of the club's books, which Xero, MYOB and a journal need. */
const accounts = { income: account.min(1, 'Please enter an account').default('260'), bank: account.optional() };

/** Makes a file of one payout, or of a financial year, for a club's books. */
export const downloadPayouts = consoleOperation({
  ...forKeepers,
  readsOnly: true,
  name: 'downloadPayouts',
  method: 'GET',
  path: '/club/payouts/file',
  isSlow: true,
  audited: ['clubId', 'format', 'payoutId', 'year'],
  words: "Saved a file of a club's payouts",
  input: OfClub.extend({
    ...accounts,
    format: BookFormat,
    payoutId: z.uuid().optional(),
    year: FinancialYear.optional(),
  }).refine(
    ({ payoutId, year }) => (payoutId === undefined) !== (year === undefined),
    'Please name a payout or a year',
  ),
  example: { clubId: exampleId, year: 2026, format: 'csv' },
  output: FileAnswer,
});

/** Makes a file of what a club was paid on some days, for its books. */
export const downloadPayoutsOfDays = consoleOperation({
  name: 'downloadPayoutsOfDays',
  method: 'GET',
  path: '/club/payouts/days/file',
  allowed: ['owner', 'finance'],
  readsOnly: true,
  isSlow: true,
  audited: ['clubId', 'format', 'from', 'to'],
  words: "Saved a file of a club's payouts of some days",
  input: OfClub.extend({ ...accounts, format: BookFormat, from: day, to: day }),
  example: { clubId: exampleId, from: '2026-11-01', to: '2026-11-30', format: 'csv' },
  output: FileAnswer,
});

/** Returns the addresses of a club's page and widget, its words as shared links show them, and the code of its poster. */
export const retrieveClubLink = consoleOperation({
  ...forReaders,
  name: 'retrieveClubLink',
  method: 'GET',
  path: '/club/link',
  follows: ['clubs', 'club_figures', 'club_slugs', 'supporters'],
  input: OfClub,
  example: { clubId: exampleId },
  output: z.object({
    address: z.url(),
    widget: z.url().describe('a small page for a frame on the club’s own website'),
    brand: z.string().describe('where the page is'),
    title: z.string(),
    description: z.string(),
    qr: QrCode,
    ...end,
  }),
});

export const PosterFormat = z.enum(['poster', 'preview', 'svg', 'png', 'shared']);
export type PosterFormat = z.infer<typeof PosterFormat>;

/** Draws an A4 PDF poster, a picture of it, its QR code alone, or the picture that shared links show. */
export const downloadPoster = consoleOperation({
  ...forReaders,
  name: 'downloadPoster',
  method: 'GET',
  path: '/club/poster',
  isSlow: true,
  input: OfClub.extend({ format: PosterFormat }),
  example: { clubId: exampleId, format: 'svg' },
  output: FileAnswer,
});

/** Returns who is emailed for a club, how often, and where it is paid. */
export const retrieveClubContact = consoleOperation({
  ...forReaders,
  name: 'retrieveClubContact',
  method: 'GET',
  path: '/club/contact',
  follows: ['clubs'],
  input: OfClub,
  example: { clubId: exampleId },
  output: z.object({
    id: z.uuid(),
    name: z.string(),
    contactEmail: z.string().nullable(),
    confirmingContact: z.string().nullable().describe('who is asked to confirm new bank details; null for nobody'),
    account: z.string().nullable().describe('its number masked; null for those who may not see bank details'),
    adviceFrequency: AdviceFrequency,
  }),
});
export type ClubContact = z.infer<typeof retrieveClubContact.output>;

/** Changes who is emailed; the former contact still confirms new bank details for a while. */
export const setClubContact = consoleOperation({
  ...forDeciders,
  isDangerous: true,
  audited: ['clubId'],
  name: 'setClubContact',
  method: 'POST',
  path: '/club/contact',
  words: "Changed a club's contact",
  input: OfClub.extend({
    contactEmail: ContactEmail,
    seen: text(254)
      .optional()
      .describe('the contact that was shown, empty for none; refused if somebody else has since changed it'),
  }),
  example: { clubId: exampleId, contactEmail: 'treasurer@rovers.example' },
  output: z.object({}),
});

/** Sets how often a club's contact is emailed remittance advices. */
export const setClubMails = consoleOperation({
  ...forDeciders,
  audited: ['clubId', 'frequency'],
  name: 'setClubMails',
  method: 'POST',
  path: '/club/mails',
  words: 'Chose how often a club is mailed',
  input: OfClub.extend({ frequency: AdviceFrequency }),
  example: { clubId: exampleId, frequency: 'weekly' },
  output: z.object({}),
});

/** Sets the amount that a club's page shows as its goal, or takes it away. */
export const setClubGoal = consoleOperation({
  ...forDeciders,
  audited: ['clubId'],
  name: 'setClubGoal',
  method: 'POST',
  path: '/club/goal',
  words: "Set a club's goal",
  input: OfClub.extend({
    goalDollars: clubFacts.goalDollars.typed,
    seen: text(clubFacts.goalDollars.max).describe('the goal that was shown, empty for none'),
  }),
  example: { clubId: exampleId, goalDollars: '5000', seen: '' },
  output: z.object({}),
});
