const sum = { count: 0, cents: 0 };

/** Returns a supporter as support reads one, without activity. */
export const aSupporter = (id: string) => ({
  id,
  name: `Robin ${id}`,
  email: 'robin@example.com',
  mobile: '0400000000',
  registeredAt: '2026-11-01T00:00:00.000Z',
  onboardedOn: null,
  closedOn: null,
  isSignInDisabled: null,
  bounce: null,
  hold: null,
  accounts: [],
  record: { roundupAmountCents: 200, weeklyMaximumLimit: 0, nextDebit: null },
  pending: {
    debits: sum,
    donations: sum,
    donationsToCome: sum,
    deposits: sum,
    refunds: sum,
    waitingCents: 0,
    setAsideCents: 0,
  },
});
