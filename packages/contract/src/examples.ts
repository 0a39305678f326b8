import { clubPage, exampleIds, nextDebit, status, stopped, userRecord, withdrawn } from './example-records.ts';

/** One request and its answer for each operation, as the documentation shows them; a test parses them all. */
export interface Example {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
}

const { cdrid, account, providerAccount, customer, userId, club, jobId } = exampleIds;
const consentLink = 'https://consent.basiq.io/home?token=eyJhbGciOi…&action=connect&state=default';
const tracked = [{ accountId: account, activeRoundUpsEnabled: true }];
const funding = { account_id: account, accountId: providerAccount, activeDebitEnabled: true };
const token = `${cdrid}.2026-11-25.Jm1uFQk2rJm4t8h0nXw5sPqLe7dGaKiTzUoyc0vC9Zb`;
const setting = (change: Record<string, unknown>): Example => ({
  input: { cdrid, ...change },
  output: { userRecord: { document: { ...userRecord.document } } },
});

export const examples: Record<string, Example> = {
  getUser: { input: { userId }, output: { userRecord } },
  register: {
    input: {
      email: 'robin@example.com',
      firstName: 'Robin',
      lastName: 'Banks',
      mobile: '0400000000',
      tenantA: 'default',
      supportingClubId: club,
      userId,
      referrer: null,
    },
    output: { CDRID: cdrid },
  },
  consent: { input: { cdrid }, output: { consentLink } },
  registerFunding: { input: { ...funding, tenantA: 'default', cdrid }, output: {} },
  extendConsent: {
    input: { email: 'robin@example.com' },
    output: { consentLink: 'https://sparechange.example/linked-accounts' },
  },
  renewExpiredConsent: {
    input: { email: 'robin@example.com' },
    output: { consentLink: 'https://sparechange.example/linked-accounts' },
  },
  setAdviceFrequencyByLink: {
    input: { token: token.replace('.2026-11-25', ''), frequency: 'weekly' },
    output: { club: 'Riverside Rovers' },
  },
  askToJoin: {
    input: {
      name: 'Riverside Rovers',
      abn: '51824753556',
      suburb: 'Riverside',
      purpose: 'Boots and balls for juniors',
      contactName: 'Robin Banks',
      email: 'robin@example.com',
    },
    output: {},
  },
  confirmClubRequest: {
    input: { token: token.replace('.2026-11-25', '') },
    output: { club: 'Riverside Rovers' },
  },
  findClubBySlug: { input: { club: 'riverside-rovers' }, output: { clubId: club, page: clubPage } },
  retrieveClubs: {
    input: { parentClubId: club },
    output: { clubs: [{ _id: club, name: 'Riverside Rovers', suburb: 'Riverside', logoURL: null }] },
  },
  findClub: {
    input: { clubId: club },
    output: { document: { _id: club, name: 'Riverside Rovers', parent_club: null, logoURL: null } },
  },
  renewOwnConsent: { input: { cdrid }, output: { consentLink } },
  manageConsent: { input: { cdrid }, output: { consentLink } },
  checkConsent: { input: { externalUserId: customer }, output: { activeConsents: true } },
  findJobs: { input: { cdrid }, output: { jobId } },
  confirmConnection: { input: { cdrid, nonce: 'q4mFv0nJ2bX8sT1yLwZ3eA', jobIds: [jobId] }, output: {} },
  checkJob: { input: { jobId, cdrid }, output: { status: 202 } },
  retrieveAccounts: { input: { cdrid }, output: { status: 200 } },
  accounts: {
    input: { userId: cdrid },
    output: {
      accountsData: {
        documents: [
          {
            _id: account,
            id: providerAccount,
            name: 'Everyday',
            accountNumber: 'XXXX5678',
            activeRoundUpsEnabled: true,
            activeDebitEnabled: true,
            canFund: true,
          },
        ],
      },
    },
  },
  setRoundUpAccounts: { input: { RoundUpAccounts: tracked }, output: {} },
  updateRoundUpAccounts: { input: { roundUpAccounts: tracked }, output: { results: tracked } },
  updateFundingAccount: { input: { cdrid, tenantA: 'default', accounts: [funding] }, output: {} },
  setPaused: setting({ isUserPausedRoundUp: false }),
  setRoundUpAmount: setting({ roundupAmountCents: 100 }),
  setWeeklyLimit: setting({ weeklyMaximumLimit: 1000 }),
  setSavingsAccount: setting({ savingsAccountEnabled: false }),
  submitSavingsAccount: {
    input: { cdrid, values: { accountName: 'Holiday', bsb: '062000', accountNumber: '12345678' } },
    output: {},
  },
  retrieveLinkedSavings: {
    input: { userId: cdrid },
    output: { savingsAccount: { document: { accountName: 'Holiday', accountNumber: 'XXXX5678' } } },
  },
  retrieveSavingsSplit: {
    input: { cdrid },
    output: { clubCents: 4285, savingsCents: 3105, nextDeposit: { date: '2026-12-01', amountCents: 310 } },
  },
  donateNow: { input: { values: { amount: 12.5, cdrid } }, output: {} },
  undoDonation: { input: { cdrid, requestId: 'a7f1c0de-0b6c-4f0e-8d1f-53b32f7a51c9' }, output: {} },
  onboardingComplete: setting({ syncBeginningOfMonth: false }),
  debitsYTD: { input: { cdrid }, output: { debitYTD: 4285, inFlightCents: 65 } },
  debitsAllTime: { input: { cdrid }, output: { debitAllTime: 12750, inFlightCents: 65 } },
  retrieveGivenPicture: {
    input: { cdrid },
    output: { path: '/share/default/club-wattle-creek-fc.png?given=12750&proof=3Q2-7w' },
  },
  retrieveTotalDebits: {
    input: { cdrid },
    output: { debitHistory: { documents: [{ monthYear: 'Nov-26', totalDebitAmount: 1190 }] } },
  },
  retrieveHistory: {
    input: { cdrid },
    output: {
      roundUphistory: [
        {
          lineId: 'tr-8c1d',
          createdDate: '2026-11-24',
          description: 'CARD PURCHASE 24/11 RIVERSIDE COFFEE',
          amount: '4.35',
          debitAmountCents: 65,
          why: null,
          state: 'waiting',
          given: null,
        },
      ],
      debits: [
        {
          debitId: '01930c5e-7a00-7000-8000-000000000001',
          kind: 'one-off donation',
          date: '2026-11-20',
          amountCents: 2000,
          clubCents: 2000,
          state: 'cleared',
        },
      ],
      bankDataDeletedOn: null,
    },
  },
  retrieveLine: {
    input: { cdrid, lineId: 'tr-8c1d' },
    output: {
      line: {
        bank: {
          date: '2026-11-17',
          description: 'CARD PURCHASE 17/11 RIVERSIDE COFFEE',
          amount: '4.35',
          account: 'Everyday',
        },
        why: null,
        rounding: { stepCents: 100, weeklyLimitCents: 1000, rawCents: 65, countedCents: 65 },
        pair: null,
        debits: [
          {
            date: '2026-11-18',
            amountCents: 342,
            clubCents: 171,
            savingsCents: 171,
            state: 'cleared',
            reference: 'RU4F1C99A03B7D2E58',
            refundedCents: 0,
            providerReference: 'PR.39p1',
          },
        ],
        shares: { club: 'Riverside Rovers', clubCents: 33, savingsCents: 32 },
        remittance: { date: '2026-11-23', reference: 'CL8A20B4C1D97E3F06', state: 'submitted' },
        deposit: null,
      },
    },
  },
  retrieveWeeklyOutlook: {
    input: { cdrid },
    output: {
      weeklyOutlook: {
        usedCents: 620,
        startsAgainOn: '2026-11-30',
        lookingBack: {
          days: 84,
          wholeWeeks: 12,
          weeks: [
            { stepCents: 100, limitCents: 0, cents: 420 },
            { stepCents: 100, limitCents: 1000, cents: 420 },
            { stepCents: 500, limitCents: 0, cents: 2130 },
            { stepCents: 500, limitCents: 1000, cents: 980 },
          ],
        },
      },
    },
  },
  retrieveAccountEstimates: {
    input: { cdrid },
    output: { accountEstimates: [{ accountId: account, purchases: 31, weeklyCents: 370 }] },
  },
  retrieveBackdating: {
    input: { cdrid },
    output: { backdating: { purchases: 12, cents: 618 }, firstDebitOn: '2026-11-25' },
  },
  retrieveNextDebit: { input: { cdrid }, output: { nextDebit } },
  setDebitSkipped: {
    input: { cdrid, date: '2026-11-25', isSkipped: true },
    output: { nextDebit: { ...nextDebit, isSkipped: true, date: '2026-11-27' } },
  },
  listReceipts: {
    input: { cdrid },
    output: {
      receipts: [
        { kind: 'month', firstDay: '2026-10-01', lastDay: '2026-10-31', totalCents: 1190, number: '1DP8Y-3JD3Y-0003' },
      ],
    },
  },
  downloadReceipt: {
    input: { cdrid, kind: 'month', firstDay: '2026-10-01' },
    output: {
      number: '1DP8Y-3JD3Y-0003',
      fileName: 'receipt-1DP8Y-3JD3Y-0003.pdf',
      pdf: 'JVBERi0xLjcK…',
      sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    },
  },
  setDebitNotices: {
    input: { cdrid, debitNotices: 'weekly' },
    output: { nextDebit: { ...nextDebit, debitNotices: 'weekly' } },
  },
  setBalanceFloor: {
    input: { cdrid, balanceFloorCents: 10_000 },
    output: { nextDebit: { ...nextDebit, balanceFloorCents: 10_000 } },
  },
  skipDebitByLink: {
    input: { token, isSkipped: true },
    output: { run: '2026-11-25', isSkipped: true, date: '2026-11-27' },
  },
  setDebitNoticesByLink: { input: { token: token.replace('.2026-11-25', ''), debitNotices: 'never' }, output: {} },
  retrieveOffboardingStatus: { input: { cdrid }, output: { status } },
  stopDebits: { input: { cdrid }, output: { status: stopped } },
  withdrawConsent: { input: { cdrid }, output: { status: withdrawn } },
  deleteBankData: { input: { cdrid }, output: { status: { ...withdrawn, hasBankData: true } } },
  downloadEverything: { input: { cdrid }, output: { fileName: 'sparechange-2026-11-25.zip', zip: 'UEsDBBQAAAAIA…' } },
  closeAccount: { input: { cdrid }, output: { status: withdrawn, identity: 'removed' } },
  createHandoff: {
    input: { userId, host: 'riverside-rovers.sparechange.example' },
    output: { handoff: 'yc0vC9Zb1m3uFQk2rJm4t8h0nXw5sPqLe7dGaKiTzUo' },
  },
  confirmHandoff: {
    input: {
      userId,
      handoff: 'yc0vC9Zb1m3uFQk2rJm4t8h0nXw5sPqLe7dGaKiTzUo',
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    },
    output: {},
  },
  confirmEmail: {
    input: { email: 'robin@example.com', token: '1795737600.E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    output: {},
  },
  endSession: { input: { userId }, output: {} },
  endEverySession: { input: { userId }, output: {} },
  exchangeHandoff: {
    input: {
      handoff: 'yc0vC9Zb1m3uFQk2rJm4t8h0nXw5sPqLe7dGaKiTzUo',
      verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    output: { customToken: 'eyJhbGciOiJSUzI1NiJ9…' },
  },
};
