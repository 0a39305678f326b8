import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bankDataDeletableFrom,
  type ConnectionTerm,
  type ConsentFacts,
  type ConsentTerm,
  connectionStatus,
  consentHealth,
  consentStatus,
  type ReminderDays,
  reminderDays,
  reminderDue,
  renewalStep,
} from './consent.ts';
import { addDays, daysBetween, isoDate, sydneyDay } from './days.ts';

const expiresOn = isoDate('2027-11-25');
const dueOn = (daysLeft: number) => reminderDue(expiresOn, addDays(expiresOn, -daysLeft));
const now = new Date('2026-11-25T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const term = fc.record<ConsentTerm>({
  state: fc.constantFrom('active', 'revoked', 'expired'),
  givenAt: fc.integer({ min: -1200, max: 0 }).map(inDays),
  expiresAt: fc.integer({ min: -800, max: 800 }).map(inDays),
});

describe('reminders', () => {
  test.each([
    [31, undefined],
    [30, 30],
    [8, 30],
    [7, 7],
    [2, 7],
    [1, 1],
    [0, 1],
    [-1, undefined],
  ])('with %i days left the reminder due is that of %s days', (daysLeft, due) => expect(dueOn(daysLeft)).toBe(due));

  /** Returns the reminders sent on these days, each once. */
  const sentOn = (daysLeft: number[]): ReminderDays[] => {
    const sent: ReminderDays[] = [];
    for (const left of daysLeft.toSorted((one, other) => other - one)) {
      const due = dueOn(left);
      if (due && !sent.includes(due)) sent.push(due);
    }
    return sent;
  };

  test('a process that runs every day sends all three, in order', () =>
    expect(sentOn(Array.from({ length: 400 }, (_, day) => day))).toEqual([30, 7, 1]));

  test('run on any set of days, each is sent at most once, never after a later one and never early', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -40, max: 60 })), (days) => {
        const sent = sentOn(days);
        expect(sent).toEqual(reminderDays.filter((reminder) => sent.includes(reminder)));
        for (const reminder of sent) expect(days.some((left) => left <= reminder && left >= 0)).toBe(true);
      }),
    ));

  test('after an outage only the latest is sent', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), (left) => {
        const last = reminderDays.findLast((days) => left <= days);
        expect(sentOn([45, left])).toEqual([last]);
      }),
    ));
});

describe('how a supporter stands', () => {
  test.each<[string, Omit<ConsentTerm, 'givenAt'>[], string]>([
    ['no consent', [], 'none'],
    ['one that is active', [{ state: 'active', expiresAt: inDays(1) }], 'active'],
    ['one that is called active but is over', [{ state: 'active', expiresAt: inDays(0) }], 'expired'],
    ['one that was revoked', [{ state: 'revoked', expiresAt: inDays(100) }], 'withdrawn'],
    [
      'one revoked and a newer one active',
      [
        { state: 'revoked', expiresAt: inDays(9) },
        { state: 'active', expiresAt: inDays(10) },
      ],
      'active',
    ],
    [
      'one revoked last year and one expired since',
      [
        { state: 'revoked', expiresAt: inDays(-300) },
        { state: 'expired', expiresAt: inDays(-1) },
      ],
      'expired',
    ],
  ])('%s', (_what, consents, state) => {
    const terms = consents.map((consent) => ({ ...consent, givenAt: inDays(-365) }));
    expect(consentStatus(terms, now).state).toBe(state);
  });

  test('of those that have ended the one given last counts, however long an older one would have lasted', () => {
    const revoked = { state: 'revoked', givenAt: inDays(-300), expiresAt: inDays(65) } as const;
    const expired = { state: 'expired', givenAt: inDays(-100), expiresAt: inDays(-1) } as const;
    expect(consentStatus([revoked, expired], now).state).toBe('expired');
    expect(consentStatus([expired, { ...revoked, givenAt: inDays(-50) }], now).state).toBe('withdrawn');
  });

  test('consents withdrawn here do not count, even where the provider calls them active; later ones do', () =>
    fc.assert(
      fc.property(fc.array(term, { maxLength: 6 }), fc.integer({ min: -1200, max: 0 }).map(inDays), (consents, at) => {
        const later = consents.filter(({ givenAt }) => givenAt > at);
        const status = consentStatus(consents, now, at);
        const ofLater = consentStatus(later, now);
        expect(status.state === 'active').toBe(ofLater.state === 'active');
        if (status.state === 'active') expect(status).toEqual(ofLater);
      }),
    ));

  test('is active exactly when one of the consents is, until the last of those ends, in any order of listing', () =>
    fc.assert(
      fc.property(fc.array(term, { maxLength: 6 }), (consents) => {
        const active = consents.filter(({ state, expiresAt }) => state === 'active' && expiresAt > now);
        const status = consentStatus(consents, now);
        expect(status.state === 'active').toBe(active.length > 0);
        if (status.state === 'active')
          for (const { expiresAt } of active) expect(expiresAt <= status.expiresAt).toBe(true);
        expect(consentStatus(consents.toReversed(), now).state === 'active').toBe(active.length > 0);
      }),
    ));
});

describe('after the end', () => {
  test('withdrawn data are due immediately, expired ones after the days of grace', () => {
    expect(bankDataDeletableFrom('withdrawn', expiresOn, 30)).toBe(expiresOn);
    expect(bankDataDeletableFrom('expired', expiresOn, 30)).toBe('2027-12-25');
  });

  test('expired data are kept for the days of grace and no longer, withdrawn ones not at all', () =>
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (days, grace) => {
        const endedOn = addDays(expiresOn, -days);
        expect(daysBetween(endedOn, bankDataDeletableFrom('expired', endedOn, grace))).toBe(grace);
        expect(bankDataDeletableFrom('withdrawn', endedOn, grace)).toBe(endedOn);
      }),
    ));
});

describe('a renewal', () => {
  test.each([
    [{ state: 'active' as const, expiresAt: inDays(0.5) }, {}, 'extend'],
    [{ state: 'active' as const, expiresAt: inDays(30.4) }, { hasEnded: true }, 'extend'],
    [{ state: 'active' as const, expiresAt: inDays(31) }, { hasEnded: true }, 'reauthorise'],
    [{ state: 'active' as const, expiresAt: inDays(365) }, {}, 'nothing'],
    [{ state: 'active' as const, expiresAt: inDays(365) }, { endsAt: null }, 'nothing'],
    [{ state: 'active' as const, expiresAt: inDays(365) }, { endsAt: inDays(20) }, 'reauthorise'],
    [{ state: 'active' as const, expiresAt: inDays(365) }, { hasEnded: true }, 'reauthorise'],
    [{ state: 'expired' as const }, {}, 'consent again'],
    [{ state: 'withdrawn' as const }, { endsAt: inDays(20) }, 'consent again'],
    [{ state: 'none' as const }, {}, 'consent again'],
  ])('of %j with a bank %j is: %s', (status, bank, step) =>
    expect(renewalStep(status, { hasEnded: false, endsAt: inDays(300), ...bank }, now)).toBe(step),
  );

  test('on each day that warns of an end, at any hour, a step of renewal is due', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 * 24 }), fc.integer({ min: 0, max: 40 * 24 }), (hour, hours) => {
        const at = new Date(now.getTime() + hour * 3_600_000);
        const end = new Date(at.getTime() + hours * 3_600_000);
        const isWarned = daysBetween(sydneyDay(at), sydneyDay(end)) <= 30;
        const status = { state: 'active', expiresAt: end } as const;
        expect(renewalStep(status, { hasEnded: false, endsAt: null }, at)).toBe(isWarned ? 'extend' : 'nothing');
      }),
    ));

  const connection = fc.record<ConnectionTerm>({
    hasEnded: fc.boolean(),
    endsAt: fc.option(fc.integer({ min: -60, max: 400 }).map(inDays), { nil: undefined }),
    dataAt: fc.option(fc.integer({ min: -60, max: 1 }).map(inDays), { nil: undefined }),
  });

  test('of several banks the first to end counts, and the one whose data are oldest', () =>
    fc.assert(
      fc.property(fc.array(connection, { maxLength: 4 }), (connections) => {
        const { hasEnded, endsAt, dataAt } = connectionStatus(connections);
        expect(hasEnded).toBe(connections.filter((each) => each.hasEnded).length > 0);
        const ends = connections.flatMap((each) => each.endsAt ?? []).map(Number);
        expect(endsAt && Number(endsAt)).toBe(ends.length > 0 ? Math.min(...ends) : null);
        const data = connections.flatMap((each) => each.dataAt ?? []).map(Number);
        expect(dataAt && Number(dataAt)).toBe(data.length > 0 ? Math.min(...data) : null);
      }),
    ));

  test('step after step leads to nothing more to do', () =>
    fc.assert(
      fc.property(term, fc.array(connection, { maxLength: 4 }), (consent, connections) => {
        const bank = connectionStatus(connections);
        const status = consentStatus([consent], now);
        const inAYear = inDays(365);
        const renewed = { state: 'active' as const, expiresAt: inAYear };
        const first = renewalStep(status, bank, now);
        const second = renewalStep(first === 'extend' || first === 'consent again' ? renewed : status, bank, now);
        expect(['reauthorise', 'nothing']).toContain(second);
        expect(renewalStep(renewed, { hasEnded: false, endsAt: inAYear }, now)).toBe('nothing');
      }),
    ));

  test('everyone who was reminded can prolong, and nobody without an active consent can', () =>
    fc.assert(
      fc.property(fc.array(term, { maxLength: 6 }), fc.array(connection, { maxLength: 2 }), (consents, connections) => {
        const status = consentStatus(consents, now);
        const step = renewalStep(status, connectionStatus(connections), now);
        expect(step === 'consent again').toBe(status.state !== 'active');
        if (status.state === 'active' && reminderDue(sydneyDay(status.expiresAt), sydneyDay(now)))
          expect(step).toBe('extend');
      }),
    ));
});

describe('its health', () => {
  const day = isoDate('2026-11-25');
  const dayOrNone = fc.option(fc.integer({ min: -60, max: 400 }).map((days) => addDays(day, days)));
  const facts = fc.record<ConsentFacts>({
    isActive: fc.boolean(),
    end: fc.constantFrom('expired', 'withdrawn', null),
    endsOn: dayOrNone,
    bankEndsOn: dayOrNone,
    hasBankEnded: fc.boolean(),
    dataOn: fc.option(fc.nat(60).map((days) => addDays(day, -days))),
    isSyncExpected: fc.boolean(),
  });
  const well: ConsentFacts = {
    isActive: true,
    end: null,
    endsOn: addDays(day, 200),
    bankEndsOn: addDays(day, 200),
    hasBankEnded: false,
    dataOn: addDays(day, -1),
    isSyncExpected: true,
  };

  test.each<[Partial<ConsentFacts>, string]>([
    [{}, 'good'],
    [{ endsOn: addDays(day, 31) }, 'good'],
    [{ endsOn: addDays(day, 30) }, 'ends soon'],
    [{ endsOn: addDays(day, 30), bankEndsOn: addDays(day, 30) }, 'ends soon'],
    [{ bankEndsOn: addDays(day, 31) }, 'good'],
    [{ bankEndsOn: addDays(day, 30) }, 'bank ends soon'],
    [{ bankEndsOn: null }, 'good'],
    [{ hasBankEnded: true, dataOn: addDays(day, -9) }, 'bank ended'],
    [{ hasBankEnded: true, endsOn: addDays(day, 30) }, 'bank ended'],
    [{ isActive: false, end: 'expired', hasBankEnded: true }, 'expired'],
    [{ dataOn: addDays(day, -6) }, 'good'],
    [{ dataOn: addDays(day, -7) }, 'silent'],
    [{ dataOn: addDays(day, -7), isSyncExpected: false }, 'good'],
    [{ dataOn: null }, 'good'],
    [{ isActive: false, end: 'expired', endsOn: addDays(day, -1) }, 'expired'],
    [{ isActive: false, end: 'withdrawn', endsOn: addDays(day, -1) }, 'withdrawn'],
    [{ isActive: false, endsOn: null }, 'none'],
  ])('with %o it is %s', (changes, state) => expect(consentHealth({ ...well, ...changes }, day)).toBe(state));

  test('supporters who are reminded are asked to renew, and those without an active consent never read that all is well', () =>
    fc.assert(
      fc.property(facts, (known) => {
        const state = consentHealth(known, day);
        if (!known.isActive) expect(['expired', 'withdrawn', 'none']).toContain(state);
        else if (known.hasBankEnded) expect(state).toBe('bank ended');
        else if (known.endsOn && reminderDue(known.endsOn, day)) expect(state).toBe('ends soon');
        else if (known.bankEndsOn && reminderDue(known.bankEndsOn, day))
          expect(['bank ends soon', 'ends soon']).toContain(state);
        else expect(['good', 'silent', 'ends soon', 'bank ends soon']).toContain(state);
      }),
    ));
});
