/** Ids of the examples; tests can replace them. */
export const exampleIds = {
  cdrid: '0b6c8f0e-4d1f-8a53-9b3e-2f7a51c9d604',
  account: '01981f5c-7d3e-7c60-8a0b-93a4e1f0c2d7',
  providerAccount: 's55bf3',
  customer: 'ea3a81f0-52a6-4b4c-b1ae-6f4c2c8d9c10',
  userId: 'Zq3hT9uXcNfVb7LmPw2sKd8RyJe1',
  club: '5d0f0d7e-7a4c-4f3c-9d55-1f0e6f7a2b11',
  jobId: '61723',
};
const { cdrid, customer, club } = exampleIds;

export const userRecord = {
  document: {
    _id: cdrid,
    externalUserId: customer,
    supportingClubId: club,
    isConsent: true,
    onboardingComplete: true,
    isUserPausedRoundUp: false,
    roundupAmountCents: 100,
    weeklyMaximumLimit: 1000,
    savingsAccountEnabled: false,
    consentHealth: { state: 'good', endsOn: '2027-10-03', bankEndsOn: '2027-10-03', dataOn: '2026-11-24' },
    nextDebit: { date: '2026-11-25', amountCents: 342 },
  },
};
export const clubPage = {
  name: 'Riverside Rovers',
  about: 'Junior football by the river since 1962.',
  suburb: 'Riverside',
  sport: 'Football',
  logoURL: '/tenants/logos/riverside-rovers.svg',
  pictureURL: null,
  abn: '51824753556',
  figures: { raisedDollars: 1906, supporters: 214 },
};
export const nextDebit = {
  run: '2026-11-25',
  isSkipped: false,
  date: '2026-11-25',
  amountCents: 65,
  account: { name: 'Everyday', accountNumber: 'XXXX5678' },
  statementTexts: ['SPARECHANGE RU4F09A1C'],
  purchases: [
    { date: '2026-11-24', description: 'CARD PURCHASE 24/11 RIVERSIDE COFFEE', amount: '4.35', roundUpCents: 65 },
  ],
  waited: null,
  balanceFloorCents: 5000,
  debitNotices: 'each_debit',
};
export const status = {
  isPaused: false,
  hasMandate: true,
  hasConsent: true,
  hasBankData: true,
  debits: { count: 1, cents: 342 },
  donations: { count: 0, cents: 0 },
  donationsToCome: { count: 0, cents: 0 },
  deposits: { count: 0, cents: 0 },
  refunds: { count: 0, cents: 0 },
  waitingCents: 65,
  setAsideCents: 0,
};
export const stopped = { ...status, isPaused: true, hasMandate: false };
export const withdrawn = { ...stopped, isPaused: false, hasConsent: false };
