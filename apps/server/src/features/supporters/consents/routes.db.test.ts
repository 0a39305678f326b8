import * as contract from '@sparechange/contract';
import { expect, test } from 'vitest';
import { ownApp } from '#testing/app-under-test.ts';
import { tablesWith } from '#testing/tables-with.ts';
import { renewConsent } from './renew-consent.ts';

const api = ownApp();

/** Follows a link of ours to its target; a link that is not the bank's is returned unchanged. */
async function opened(link: string): Promise<URL> {
  const { pathname } = new URL(link);
  if (!pathname.startsWith('/api/')) return new URL(link);
  const { headers } = await api.app.inject({ method: 'GET', url: pathname });
  return new URL(String(headers.location), link);
}
const stateOf = ({ searchParams }: URL) => contract.readBankState(searchParams.get('state'));

/** A registered supporter not yet known to the bank. */
async function newcomer() {
  const supporter = await api.supporter({ consentActive: false, roundsFrom: null });
  await api.rows`update supporters set bank_customer_id = null where supporter_id = ${supporter.supporterId}`;
  return supporter;
}

test('the first consent creates one customer at the provider and returns a bank link', async () => {
  const { supporterId: cdrid, uid } = await newcomer();
  const before = api.bankLink.customers.length;
  const first = await api.call(contract.consent, { cdrid }, { uid, tenant: 'riverside-rovers' });
  await api.call(contract.consent, { cdrid }, { uid });
  expect(api.bankLink.customers).toHaveLength(before + 1);
  expect(new URL(first.body.consentLink).host).toBe('riverside-rovers.sparechange.example');
  const page = await opened(first.body.consentLink);
  expect(page.host).toBe('bank.test');
  expect(page.searchParams.get('purpose')).toBe('first consent');
  expect(stateOf(page)).toMatchObject({ tenantKey: 'riverside-rovers', isRenewal: false });
});

test('with an active consent the link connects another bank or manages existing ones', async () => {
  const { supporterId: cdrid, uid, bankCustomerId: customerId } = await api.supporter();
  for (const operation of [contract.consent, contract.manageConsent]) {
    await opened((await api.call(operation, { cdrid }, { uid })).body.consentLink);
  }
  expect(api.bankLink.links.slice(-2)).toMatchObject([
    { customerId, purpose: 'connect' },
    { customerId, purpose: 'manage' },
  ]);
});

test('a renewal prolongs the consent, then confirms the bank, then is done; an expired one is given again', async () => {
  const { supporterId: cdrid, uid, bankCustomerId } = await api.supporter();
  const inTwentyDays = new Date(api.clock.now().getTime() + 20 * 86_400_000);
  const renews = async () => {
    const { body } = await api.call(contract.renewOwnConsent, { cdrid }, { uid, tenant: 'riverside-rovers' });
    const page = await opened(body.consentLink);
    const state = stateOf(page);
    const back = `${state?.tenantKey}${state?.isRenewal ? '.renewal' : ''}`;
    return page.host === 'bank.test' ? `${page.searchParams.get('purpose')}, back as ${back}` : page.host;
  };
  const [consent] = api.bankLink.customers.find(({ id }) => id === bankCustomerId)?.consents ?? [];
  if (consent) consent.expiresAt = inTwentyDays;
  api.bankLink.setConnection(bankCustomerId, { endsAt: inTwentyDays });
  expect(await renews()).toBe('extend, back as riverside-rovers.renewal');
  api.bankLink.extend(bankCustomerId);
  expect(await renews()).toBe('reauthorise, back as riverside-rovers.renewal');
  api.bankLink.setConnection(bankCustomerId, { endsAt: undefined });
  expect(await renews()).toBe('riverside-rovers.sparechange.example');
  api.bankLink.setConnection(bankCustomerId, { hasEnded: true });
  expect(await renews()).toBe('reauthorise, back as riverside-rovers.renewal');
  api.bankLink.endConsent(bankCustomerId, 'expired');
  expect(await renews()).toBe('first consent, back as riverside-rovers');
});

test('the state of the bank is in the user record, and goes with the consent', async () => {
  const { supporterId: cdrid, uid, bankCustomerId } = await api.supporter();
  const health = async () => {
    await api.call(contract.retrieveAccounts, { cdrid }, { uid });
    return (await api.call(contract.getUser, { userId: uid }, { uid })).body.userRecord.document.consentHealth;
  };
  expect(await health()).toMatchObject({ state: 'good', bankEndsOn: '2027-11-25' });
  api.bankLink.setConnection(bankCustomerId, { endsAt: new Date('2026-12-15T00:00:00Z') });
  expect(await health()).toMatchObject({ state: 'bank ends soon', bankEndsOn: '2026-12-15' });
  api.bankLink.setConnection(bankCustomerId, { hasEnded: true });
  expect(await health()).toMatchObject({ state: 'bank ended' });
  api.bankLink.endConsent(bankCustomerId, 'expired');
  expect(await health()).toMatchObject({ state: 'expired', bankEndsOn: null });
});

test('a bank that temporarily shows no account is renewed with its last known state', async () => {
  const { supporterId: cdrid, uid, bankCustomerId } = await api.supporter();
  api.bankLink.setConnection(bankCustomerId, { endsAt: new Date('2026-12-15T00:00:00Z') });
  await api.call(contract.retrieveAccounts, { cdrid }, { uid });
  const customer = api.bankLink.customers.find(({ id }) => id === bankCustomerId);
  const accounts = customer?.accounts.splice(0) ?? [];
  const renews = async () => {
    const { body } = await api.call(contract.renewOwnConsent, { cdrid }, { uid });
    return (await opened(body.consentLink)).searchParams.get('purpose');
  };
  expect(await renews()).toBe('reauthorise');
  await api.call(contract.retrieveAccounts, { cdrid }, { uid });
  expect(await renews()).toBe('reauthorise');
  const { consentHealth } = (await api.call(contract.getUser, { userId: uid }, { uid })).body.userRecord.document;
  expect(consentHealth).toMatchObject({ state: 'bank ends soon', bankEndsOn: '2026-12-15' });
  customer?.accounts.push(...accounts);
  api.bankLink.setConnection(bankCustomerId, { endsAt: undefined });
  await api.call(contract.retrieveAccounts, { cdrid }, { uid });
  expect(await renews()).toBe(null);
});

test('no bank link is stored anywhere in the database', async () => {
  const { supporterId: cdrid, uid, bankCustomerId } = await api.supporter();
  const { consentLink } = (await api.call(contract.consent, { cdrid }, { uid })).body;
  expect((await opened(consentLink)).host).toBe('bank.test');
  expect(await tablesWith(api.db, bankCustomerId)).toContain('supporters');
  expect(await tablesWith(api.db, 'bank.test')).toEqual([]);
});

test('a consent that ended is detected when it is requested, and then nothing is collected', async () => {
  const { supporterId: cdrid, uid, bankCustomerId: externalUserId } = await api.supporter();
  const check = async () => (await api.call(contract.checkConsent, { externalUserId }, { uid })).body.activeConsents;
  expect(await check()).toBe(true);
  api.bankLink.endConsent(externalUserId, 'revoked');
  expect(await check()).toBe(false);
  const [row] = await api.rows`select consent_active from supporters where supporter_id = ${cdrid}`;
  expect(row).toEqual({ consent_active: false });
  const notes = await api.rows`select actor, action from audit_log where supporter_id = ${cdrid}`;
  expect([...notes]).toEqual([{ actor: 'open banking', action: 'consent withdrawn' }]);
});

test('the newest job is found, and none where there is none', async () => {
  const { supporterId: cdrid, uid, jobId } = await api.supporter();
  expect((await api.call(contract.findJobs, { cdrid }, { uid })).body).toEqual({ jobId });
  const stranger = await newcomer();
  const answer = await api.call(contract.findJobs, { cdrid: stranger.supporterId }, { uid: stranger.uid });
  expect(answer.status).toBe(404);
});

test.each([
  ['done', 200, { status: 200 }],
  ['pending', 202, { status: 202 }],
] as const)('a job that is %s returns %i', async (state, status, body) => {
  const { supporterId: cdrid, uid, jobId, bankCustomerId } = await api.supporter();
  api.bankLink.setJob(bankCustomerId, state);
  expect(await api.call(contract.checkJob, { cdrid, jobId }, { uid })).toMatchObject({ status, body });
});

test.each([
  ['failed', 'conflict'],
  ['declined', 'bank-declined'],
] as const)('a job that %s at the bank is refused as %s', async (state, code) => {
  const { supporterId: cdrid, uid, jobId, bankCustomerId } = await api.supporter();
  api.bankLink.setJob(bankCustomerId, state);
  const answer = await api.call(contract.checkJob, { cdrid, jobId }, { uid });
  expect([answer.status, answer.body.error.code]).toEqual([409, code]);
});

const renewals = [
  ['extend', contract.extendConsent],
  ['expired', contract.renewExpiredConsent],
] as const;
const inAnHour = () => new Date(api.clock.now().getTime() + 3_600_000);

test.each(renewals)(
  '%s: without an emailed token the answer is the same for a known and an unknown address',
  async (_purpose, operation) => {
    const { email } = await api.supporter();
    const links = api.bankLink.links.length;
    const [known, unknown, forged] = [
      await api.call(operation, { email }),
      await api.call(operation, { email: 'nobody@example.com' }),
      await api.call(operation, { email, token: '2000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
    ];
    expect(known).toMatchObject({ status: 200, body: { consentLink: 'https://sparechange.example/linked-accounts' } });
    for (const answer of [unknown, forged]) expect([answer.status, answer.body]).toEqual([known.status, known.body]);
    expect(api.bankLink.links).toHaveLength(links);
  },
);

test.each(renewals)(
  '%s: without an emailed token nothing is looked up, so that response times do not differ',
  async (purpose, operation) => {
    const untouchable = new Proxy(api.db, {
      apply: () => {
        throw new Error('the database was asked');
      },
      get: () => {
        throw new Error('the database was asked');
      },
    });
    const renewal = { purpose, email: 'robin@example.com', token: undefined, tenantKey: 'riverside-rovers' };
    const { consentLink } = await renewConsent({ ...api, db: untouchable }, renewal);
    expect(consentLink).toBe('https://riverside-rovers.sparechange.example/linked-accounts');
    expect(operation.access).toBe('open');
  },
);

test('with the emailed token the link leads to the bank, for the due step', async () => {
  const { email, supporterId, uid, bankCustomerId: customerId } = await api.supporter();
  let answered: contract.OutputOf<typeof contract.extendConsent> = { consentLink: '' };
  const open = async (purpose: 'extend' | 'expired') => {
    const operation = purpose === 'extend' ? contract.extendConsent : contract.renewExpiredConsent;
    const token = api.renewalLinks.token(purpose, email, inAnHour());
    const answer = await api.call(operation, { email: email.toUpperCase(), token }, { tenant: 'riverside-rovers' });
    answered = answer.body;
    const { host, searchParams } = await opened(answered.consentLink);
    return host === 'bank.test' ? searchParams.get('purpose') : host;
  };
  expect(await open('extend')).toBe('riverside-rovers.sparechange.example'); // all of it has a year to go
  expect(await open('expired')).toBe('riverside-rovers.sparechange.example');
  const consent = api.bankLink.customers.find(({ id }) => id === customerId)?.consents[0];
  if (consent) consent.expiresAt = inAnHour();
  expect(await open('extend')).toBe('extend');
  expect(answered.renewal).toEqual({ left: 'consent', endsOn: '2026-11-25', bankEndsOn: '2027-11-25' });
  api.bankLink.extend(customerId);
  api.bankLink.setConnection(customerId, { hasEnded: true });
  expect(await open('extend')).toBe('reauthorise');
  expect(answered.renewal).toEqual({ left: 'bank', endsOn: '2027-11-25', bankEndsOn: null });
  api.bankLink.endConsent(customerId, 'expired');
  expect([await open('extend'), await open('expired')]).toEqual(['first consent', 'first consent']);
  expect(api.bankLink.links.at(-1)).toMatchObject({
    customerId,
    purpose: 'first consent',
    state: expect.stringMatching(/^riverside-rovers\.[\w-]{22}$/),
  });
  await api.rows`update supporters set closed_on = '2026-11-25' where supporter_id = ${supporterId}`;
  expect([await open('extend'), uid]).toEqual(['riverside-rovers.sparechange.example', uid]);
});

test('a token opens nothing for another address, for the other screen, or after its end', async () => {
  const [mine, others] = [await api.supporter(), await api.supporter()];
  const token = api.renewalLinks.token('extend', mine.email, inAnHour());
  const ended = api.renewalLinks.token('extend', mine.email, api.clock.now());
  const answers = [
    await api.call(contract.extendConsent, { email: others.email, token }),
    await api.call(contract.renewExpiredConsent, { email: mine.email, token }),
    await api.call(contract.extendConsent, { email: mine.email, token: ended }),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toEqual([200, { consentLink: 'https://sparechange.example/linked-accounts' }]);
});

test('only the recipient of the email learns that a provider does not answer', async () => {
  const { email, bankCustomerId } = await api.supporter();
  const token = api.renewalLinks.token('extend', email, inAnHour());
  api.bankLink.setUnreachable(true, bankCustomerId);
  const answers = [
    await api.call(contract.extendConsent, { email, token }),
    await api.call(contract.extendConsent, { email }),
  ];
  api.bankLink.setUnreachable(false, bankCustomerId);
  expect(answers.map(({ status }) => status)).toEqual([502, 200]);
});
