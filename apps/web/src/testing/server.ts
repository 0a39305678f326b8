import type { InputOf, Operation, SentOf } from '@sparechange/contract';
import * as contract from '@sparechange/contract';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { aClub, accounts, aListedClub, cdrid, userOf } from './makers.ts';

/** The browser's calls in order, with their parsed inputs. */
export const calls: { name: string; input: unknown; headers: Headers }[] = [];
export const callsOf = (operation: Operation) => calls.filter((call) => call.name === operation.name);

type Respond<Op extends Operation> = (input: InputOf<Op>) => SentOf<Op> | Promise<SentOf<Op>>;

/** Returns a handler that answers an operation; input and output must match its schemas. */
export function answer<Op extends Operation>(operation: Op, output: SentOf<Op> | Respond<Op>, status = 200) {
  const respond = typeof output === 'function' ? (output as Respond<Op>) : () => output;
  return handle(operation, async (input) => {
    const result = await respond(input as InputOf<Op>);
    return HttpResponse.json(operation.output.parse(result) as object, { status });
  });
}

type Fields = Record<string, string>;

export const refuse = (operation: Operation, status: number, code: contract.ErrorCode, fields?: Fields): HttpHandler =>
  handle(operation, async () =>
    HttpResponse.json({ error: { code, message: 'Refused by the test', ...(fields && { fields }) } }, { status }),
  );

function handle(operation: Operation, respond: (input: unknown) => Promise<HttpResponse<object>>): HttpHandler {
  const method = operation.method === 'GET' ? http.get : http.post;
  return method(`*/api${operation.path}`, async ({ request }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const input = operation.input.parse(operation.method === 'GET' ? query : await request.json());
    calls.push({ name: operation.name, input, headers: request.headers });
    return respond(input);
  });
}

/** The default answers, for a supporter who has finished onboarding. */
const defaultHandlers: HttpHandler[] = [
  answer(contract.getUser, userOf()),
  answer(contract.register, { CDRID: cdrid }),
  answer(contract.retrieveClubs, {
    clubs: [aListedClub(), aListedClub({ _id: 'surf', name: 'Tidewater Surf', suburb: 'Tidewater Bay' })],
  }),
  answer(contract.findClub, ({ clubId }) => ({
    document: { ...aClub(clubId, 'Harbour Hounds'), parent_club: null },
  })),
  answer(contract.createHandoff, { handoff: 'a-code' }),
  answer(contract.endSession, {}),
  answer(contract.consent, { consentLink: 'https://bank.test/consent' }),
  answer(contract.manageConsent, { consentLink: 'https://bank.test/manage' }),
  answer(contract.checkConsent, { activeConsents: true }),
  answer(contract.accounts, { accountsData: { documents: accounts } }),
  answer(contract.retrieveWeeklyOutlook, {
    weeklyOutlook: { usedCents: 0, startsAgainOn: '2026-11-30', lookingBack: null },
  }),
  answer(contract.retrieveAccountEstimates, { accountEstimates: null }),
  answer(contract.retrieveBackdating, { backdating: { purchases: 12, cents: 618 }, firstDebitOn: '2026-11-25' }),
  answer(contract.debitsYTD, { debitYTD: 12847 }),
  answer(contract.debitsAllTime, { debitAllTime: 31290 }),
  answer(contract.retrieveGivenPicture, { path: '/share/default/club-hounds.png?given=12847&proof=x' }),
  answer(contract.retrieveTotalDebits, {
    debitHistory: {
      documents: [
        { monthYear: 'Dec-25', totalDebitAmount: 1999 },
        { monthYear: 'Nov-26', totalDebitAmount: 1842 },
      ],
    },
  }),
  answer(contract.listReceipts, {
    receipts: [
      { kind: 'month', firstDay: '2026-10-01', lastDay: '2026-10-31', totalCents: 1190, number: null },
      { kind: 'year', firstDay: '2025-07-01', lastDay: '2026-06-30', totalCents: 4285, number: '1DP8Y-3JD3Y-FY2026' },
    ],
  }),
  answer(contract.retrieveLinkedSavings, {
    savingsAccount: { document: { accountName: 'Holiday Saver', accountNumber: 'XXXXX7741' } },
  }),
  answer(contract.retrieveSavingsSplit, {
    clubCents: 9310,
    savingsCents: 9120,
    nextDeposit: { date: '2026-12-01', amountCents: 921 },
  }),
  http.get('*/tenants/redirects.json', () =>
    HttpResponse.json({
      verify: { hounds: 'harbour-hounds' },
      confirmed: [{ parentClubId: 'league', tenant: 'bush-league' }],
      consented: { paws: 'harbour-hounds' },
    }),
  ),
];

export const server = setupServer(...defaultHandlers);
