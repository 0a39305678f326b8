import { programFacts } from './club-facts.ts';
import { exampleIds } from './example-records.ts';

const { club } = exampleIds;
const payout = {
  id: '0198a2f4-5c1e-7b7a-9f53-6d0c3a1b7e42',
  clubId: club,
  reference: 'CL3F9A0C41D27B65E8',
  paidOn: '2026-11-25',
  state: 'cleared',
  amountCents: 19_065,
  outcomeAt: '2026-11-26T03:15:00.000Z',
};
const clubRecord = {
  id: club,
  ...Object.fromEntries(Object.keys(programFacts).map((fact) => [fact, null])),
  name: 'Riverside Rovers',
  slug: 'riverside-rovers',
  parentId: null,
  abn: '51824753556',
  about: 'Junior football by the river since 1962.',
  suburb: 'Riverside',
  sport: 'Football',
  goalDollars: 5_000,
  endsOn: null,
  supporters: 214,
};
const next = 'AZii9Fwee3qfU20MOht-Qg';

/** One request and its answer for each operation of programs. */
export const programExamples: Record<string, { input: Record<string, unknown>; output: Record<string, unknown> }> = {
  listClubs: { input: { limit: 50 }, output: { items: [clubRecord], next: null } },
  getClub: { input: { id: club }, output: clubRecord },
  updateClub: { input: { id: club, suburb: 'Riverside', goalDollars: 5_000 }, output: clubRecord },
  listPayouts: {
    input: { from: '2026-11-01', to: '2026-11-30', limit: 1 },
    output: { items: [payout], next },
  },
  getPayout: {
    input: { id: payout.id },
    output: {
      ...payout,
      lines: [
        {
          kind: 'day',
          day: '2026-11-24',
          supporters: 112,
          grossCents: 20_565,
          returnedCents: 500,
          savingsCents: 1_000,
          netCents: 19_065,
        },
      ],
    },
  },
  listTotals: {
    input: { clubId: club },
    output: {
      items: [
        {
          clubId: club,
          collectedCents: 190_600,
          correctedCents: 0,
          payableCents: 1_535,
          reservedCents: 0,
          inTransitCents: 0,
          remittedCents: 189_065,
          supporters: 214,
          until: '2026-11-25',
        },
      ],
      next: null,
    },
  },
};
