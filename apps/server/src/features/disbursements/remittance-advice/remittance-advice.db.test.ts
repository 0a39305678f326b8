import { addDays, isoDate } from '@sparechange/domain';
import fc from 'fast-check';
import { pino } from 'pino';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeEach, expect, test } from 'vitest';
import { documentPrinter } from '#documents/document-printer.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { sendMails } from '#features/core/outbox/send-mails.ts';
import { submitPayouts } from '#features/core/payouts/submit-payouts.ts';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { planRemittances } from '#features/disbursements/remittances/plan-remittances.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { remittanceKind } from '#features/disbursements/remittances/remittance-kind.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { adviceLinks } from '#secrets/signed-links.ts';
import { tenantSites } from '#tenants/tenant-site.ts';
import { ownDatabase } from '#testing/database.ts';
import { type FakeDirectDebit, fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import {
  aClock,
  aClub,
  aPurchase,
  aSupporter,
  aTenant,
  forgetEverything,
  returned,
  someTenants,
  type TestSupporter,
} from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { aPastDebit } from '#testing/past-debit.ts';
import { paymentDeps } from '#testing/payment-deps.ts';
import { AdviceFacts, listSubmitted } from './advice-repository.ts';
import { adviceComposer } from './compose-advice.ts';
import { findOrMakeAdvice, makeAdvices } from './make-advice.ts';

const database = ownDatabase();
let directDebit: FakeDirectDebit;
let mailer: FakeMailer;
let supporter: TestSupporter;
const clock = aClock('2026-11-26T00:00:00Z');
const tenants = someTenants(aTenant(), aTenant({ key: 'sparechange', name: 'Sparechange' }));
const sites = tenantSites(
  { productUrl: 'https://sparechange.example', productDomain: 'sparechange.example', tenantRule: 'provider-domain' },
  tenants,
);

const treasurer = 'treasurer@rovers.example';
async function anew(): Promise<void> {
  await forgetEverything(database.pool);
  clock.setTo('2026-11-26T00:00:00Z');
  directDebit = fakeDirectDebit({ now: () => clock.now() });
  mailer = fakeMailer();
  const clubId = await aClub(database.pool, { name: 'Riverside Rovers' });
  await setBankDetails(database.pool, clubId, '12345678');
  await database.rows`update clubs set contact_email = ${treasurer}`;
  supporter = await aSupporter(database.pool, { clubId });
}
beforeEach(anew);

const deps = () => paymentDeps(database.pool, clock, directDebit);
const send = () => {
  const compose = adviceComposer({
    db: database.pool,
    tenants,
    sites,
    printer: documentPrinter({ readLogo: async () => undefined }),
    mainTenant: 'sparechange',
    adviceLinks: adviceLinks(Buffer.alloc(32)),
  });
  return sendMails({ db: database.pool, clock, log: pino({ level: 'silent' }), mailer, compose });
};
const remit = () => remitToClubs(deps());
const anotherSupporter = () => aSupporter(database.pool, { clubId: supporter.clubId });
const facts = async () => {
  const rows = await database.rows<
    { facts: unknown }[]
  >`select facts from remittance_advices order by made_at, remittance_id`;
  return rows.map(({ facts }) => AdviceFacts.parse(facts));
};
const csvOf = (mail: { attachments?: { content: Uint8Array }[] } | undefined) =>
  new TextDecoder().decode(mail?.attachments?.[1]?.content);

test('an advice lists a deposit day by day, column by column, with its number of donors', async () => {
  const other = await anotherSupporter();
  await aPastDebit(database.pool, supporter, { day: '2026-11-23', amount: 455, savings: 227 });
  await aPastDebit(database.pool, other, { day: '2026-11-23', amount: 100 });
  await aPastDebit(database.pool, supporter, { day: '2026-11-25', amount: 2_500, kind: 'donation' });
  await aPastDebit(database.pool, other, { day: '2026-11-23', amount: 301, savings: 150, reversedOn: '2026-11-25' });
  await remit();
  const [advice] = await facts();
  expect(advice).toMatchObject({
    supporters: 2,
    days: [
      { day: '2026-11-23', supporters: 2, gross: 856, returned: 0, savings: 377, net: 479 },
      { day: '2026-11-25', supporters: 1, gross: 2_500, returned: 301, savings: -150, net: 2_349 },
    ],
    totals: { gross: 3_356, returned: 301, savings: 227, fees: 0, net: 2_828 },
    forecast: null,
  });
  const [deposit] = directDebit.taken;
  expect([advice?.totals.net, advice?.reference]).toEqual([deposit?.amount, deposit?.reference]);
});

test('facts stored before they had a version read like present ones', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23', amount: 455 });
  await remit();
  const [now] = await facts();
  const { version, supporters: givers, days = [], ...rest } = now ?? {};
  const first = {
    ...rest,
    givers,
    days: days.map(({ supporters, ...amounts }) => ({ ...amounts, givers: supporters })),
  };
  expect(version).toBe(2);
  expect(AdviceFacts.parse(first)).toEqual(now);
});

test('it is emailed once, to the club, with a PDF and a CSV that both add up to the deposit', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23', amount: 455, savings: 227 });
  await aPastDebit(database.pool, supporter, { day: '2026-11-25', amount: 100 });
  await remit();
  await remit();
  expect([await send(), await send()]).toMatchObject([{ sent: 1 }, { sent: 0 }]);
  const [mail, ...others] = mailer.sentTo(treasurer);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('A payout is on its way to Riverside Rovers');
  expect(mail?.attachments?.map(({ type }) => type)).toEqual(['application/pdf', 'text/csv; charset=utf-8']);
  const [, ...lines] = csvOf(mail).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',').slice(1).join(','))).toEqual([
    '2026-11-23,,4.55,0.00,-2.27,0.00,2.28',
    '2026-11-25,,1.00,0.00,0.00,0.00,1.00',
  ]);
  const pdf = await getDocumentProxy(new Uint8Array(mail?.attachments?.[0]?.content ?? []));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text.replace(/\s+/g, ' ')).toContain('Deposit $5.55 $0.00 -$2.27 $0.00 $3.28');
  const said = `${text}${mail?.text}${mail?.html}${csvOf(mail)}`;
  expect(said).not.toMatch(/Banks|062000|12345678/); // neither names nor accounts
  expect(mail?.text).toContain('given by fewer than 5 people');
  expect(text).toMatch(/People who gave\s+Fewer than 5/);
});

test('a returned deposit is listed again in the advice of its repetition', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23', amount: 100 });
  await remit();
  await applyOutcome(deps(), returned(directDebit.taken[0]?.providerRef ?? '', 5));
  await setBankDetails(database.pool, supporter.clubId, '99990000');
  await aPastDebit(database.pool, supporter, { day: '2026-11-26', amount: 50 });
  clock.setTo('2026-11-27T00:00:00Z');
  await remit();
  expect((await facts()).map(({ totals, days }) => [totals.net, days.length])).toEqual([
    [100, 1],
    [150, 2],
  ]);
});

test('a payment that the provider got weeks after planning has its advice then', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23' });
  directDebit.setUnreachable(true);
  await remit();
  clock.setTo('2026-12-14T00:00:00Z');
  directDebit.setUnreachable(false);
  await remit();
  expect([await facts(), await send()]).toMatchObject([[{ paidOn: '2026-12-14' }], { sent: 1 }]);
});

test('a payout whose file is saved before the run has made its advice is still emailed', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23' });
  const day = isoDate('2026-11-26');
  await closeAndRollUp(database.pool, addDays(day, -1));
  await planRemittances(database.pool, clock, day);
  await submitPayouts(deps(), remittanceKind);
  const saved = await listSubmitted(database.pool, supporter.clubId, day, day);
  for (const remittance of saved) await findOrMakeAdvice(deps(), remittance, day);
  await makeAdvices(deps());
  expect([saved.length, await send()]).toMatchObject([1, { sent: 1 }]);
});

test('a club without an address gets none, and its advice is stored', async () => {
  await database.rows`update clubs set contact_email = null`;
  await aPastDebit(database.pool, supporter, { day: '2026-11-23' });
  await remit();
  expect([await send(), mailer.sent.length, (await facts()).length]).toMatchObject([{ sent: 0, givenUp: 0 }, 0, 1]);
  expect(await database.rows`select 1 from mails`).toHaveLength(0);
});

test('while the mail server is unavailable it waits; an address that refuses permanently is left alone', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23' });
  await remit();
  mailer.failNext('server unavailable');
  expect(await send()).toMatchObject({ sent: 0, waiting: 1 });
  expect(await send()).toMatchObject({ sent: 0, waiting: 0 });
  clock.setTo('2026-11-26T00:02:00Z');
  mailer.failNext('for good');
  expect(await send()).toMatchObject({ givenUp: 1 });
  clock.setTo('2026-11-28T00:00:00Z');
  expect([await send(), mailer.sent.length]).toMatchObject([{ sent: 0, givenUp: 0 }, 0]);
  const [mail] = await database.rows`select failure, given_up_at, sent_at from mails where recipient = 'club'`;
  expect(mail).toMatchObject({ failure: '550 no such mailbox', given_up_at: expect.any(Date), sent_at: null });
});

test('facts and address of an advice are never changed', async () => {
  await aPastDebit(database.pool, supporter, { day: '2026-11-23' });
  await remit();
  await expect(database.rows`update remittance_advices set facts = '{}'`).rejects.toThrow('append-only');
  await expect(database.rows`update remittance_advices set email = 'x@y.z'`).rejects.toThrow('append-only');
  await expect(database.rows`delete from remittance_advices`).rejects.toThrow('append-only');
  await send();
});

test('the forecast is made of whole weeks of current supporters, within their limits', async () => {
  const leaver = await anotherSupporter();
  for (let week = 1; week <= 6; week += 1) {
    const day = addDays(isoDate('2026-11-25'), -7 * week);
    await aPastDebit(database.pool, supporter, { day, amount: 1_000 });
    await aPastDebit(database.pool, supporter, { day, amount: 9_000, kind: 'donation' });
    await aPastDebit(database.pool, leaver, { day, amount: 5_000 });
  }
  await aPastDebit(database.pool, supporter, { day: '2026-11-24', amount: 700 }); // this week is not over
  await database.rows`
    insert into pauses (supporter_id, paused_at, paused_on, reason) values (${leaver.supporterId}, now(), '2026-11-20', 'supporter')`;
  await remit();
  expect((await facts())[0]?.forecast).toEqual({ low: 4_000, expected: 4_000, high: 4_000 });
  await database.rows`update supporters set weekly_limit_cents = 750`;
  await aPastDebit(database.pool, supporter, { day: '2026-11-26', amount: 10 });
  clock.setTo('2026-11-27T00:00:00Z');
  await remit();
  expect((await facts())[1]?.forecast).toEqual({ low: 3_000, expected: 3_000, high: 3_000 });
});

test('a backdated amount occurs once, and is not in the forecast', async () => {
  await database.rows`
    update supporters set onboarded_on = '2026-10-14', rounds_from = '2026-10-01', round_up_step = 500
    where supporter_id = ${supporter.supporterId}`;
  const bought = Array.from({ length: 10 }, (_, place) =>
    aPurchase(supporter, { day: '2026-10-02', cents: 101, description: `SHOP ${place}` }),
  );
  await recordRoundUps(database.pool.of(supporter.supporterId), clock.now(), bought); // $39.90
  for (let week = 1; week <= 6; week += 1) {
    const day = addDays(isoDate('2026-11-25'), -7 * week);
    await aPastDebit(database.pool, supporter, { day, amount: week === 6 ? 4_990 : 1_000 });
  }
  await remit();
  expect((await facts())[0]?.forecast).toEqual({ low: 4_000, expected: 4_000, high: 4_000 });
});

test("weeks without round-ups count in the forecast, except those before the club's first donation", async () => {
  const raise = (weeksAgo: number, amount: number) =>
    aPastDebit(database.pool, supporter, { day: addDays(isoDate('2026-11-25'), -7 * weeksAgo), amount });
  for (const weeksAgo of [1, 2, 4, 5]) await raise(weeksAgo, 1_000);
  await remit();
  expect((await facts())[0]?.forecast?.expected).toBe(3_200); // five weeks

  await anew();
  for (const weeksAgo of [1, 2, 4, 5]) await raise(weeksAgo, 1_200);
  await raise(20, 700);
  await remit();
  expect((await facts())[0]?.forecast?.expected).toBe(1_600); // twelve weeks
});

test('for any clearings and reversals, every advice adds up to its deposit to the cent', async () => {
  const anyDebit = fc.record({
    at: fc.nat(2),
    ago: fc.integer({ min: 1, max: 20 }),
    amount: fc.integer({ min: 1, max: 3_000 }),
    saves: fc.boolean(),
    back: fc.option(fc.nat(10), { freq: 3, nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyDebit, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 20 }),
      async (debits, split) => {
        await anew();
        const supporters = [supporter, await anotherSupporter(), await anotherSupporter()];
        const last = isoDate('2026-11-25');
        for (const until of [addDays(last, -split), last]) {
          clock.setTo(`${addDays(until, 1)}T00:00:00Z`);
          const isNow = (day: string) => (until === last ? day > addDays(last, -split) : day <= until);
          for (const { at, ago, amount, saves, back } of debits) {
            const day = addDays(last, -ago);
            const gone = back === undefined ? undefined : addDays(day, back);
            const who = supporters[at];
            const reversedOn = gone !== undefined && gone <= last && isNow(gone) ? { reversedOn: gone } : {};
            const debit = { day, amount, savings: saves ? Math.floor(amount / 2) : 0, ...reversedOn };
            if (who && isNow(day)) await aPastDebit(database.pool, who, { ...debit, kind: 'donation' });
          }
          await remit();
        }
        const deposits = await database.rows<{ cents: number }[]>`
        select amount_cents as cents from remittances where submitted_at is not null order by reference`;
        const advices = (await facts()).toSorted((one, other) => (one.reference < other.reference ? -1 : 1));
        expect(advices.map(({ totals }) => totals.net)).toEqual(deposits.map(({ cents }) => cents));
        const { violations } = await auditBooks(database.pool);
        expect(violations.filter((violation) => violation.includes('advice'))).toEqual([]);
      },
    ),
    { numRuns: 15 },
  );
});
