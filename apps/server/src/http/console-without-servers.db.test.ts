import * as contract from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { migrate } from '#db/migrate.ts';
import { askApproval } from '#features/approvals/approve.ts';
import { runDebits } from '#features/debits/run-debits.ts';
import { suspendTenant } from '#features/debits/suspended-tenants.ts';
import { queueMail } from '#features/outbox/outbox-repository.ts';
import { recordRoundUps } from '#features/round-ups/record-round-ups.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { aClub, aPurchase, aSupporter, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';
import { aProxy, type TestProxy } from '#testing/proxy.ts';

let database: TestDatabase;
let proxies: Record<'east' | 'west', TestProxy>;
let db: Pool;
let api: AppUnderTest;
let owner: TestOperator;
let people: TestSupporter[];

beforeAll(async () => {
  database = await aDatabase(4, ['east', 'west']);
  proxies = { east: await aProxy(database.servers.east ?? ''), west: await aProxy(database.servers.west ?? '') };
  const servers = { east: proxies.east.url, west: proxies.west.url };
  db = connect(database.url, { max: 5, buckets: 4, servers });
  await migrate(db);
  api = await anApp({ db }, {}, 1);
  owner = await anOperator(db);
  const clubId = await aClub(db);
  people = [];
  for (const uid of uidsInEachBucket(4, 1))
    people.push(await aSupporter(db, { uid, clubId, directDebit: api.directDebit }));
  for (const person of people) {
    const bucket = db.of(person.supporterId);
    await recordRoundUps(bucket, api.clock.now(), [aPurchase(person)]);
    const { supporterId } = person;
    const facts = { kind: 'password_changed' } as const;
    const mail = { recipient: 'supporter', key: 'a', facts, at: api.clock.now(), isUrgent: false } as const;
    await queueMail(bucket, { ...mail, supporterId });
    await bucket`
      insert into supporter_work (supporter_id, kind, due_at, next_try_at, tries, failing_since, parked_at)
      values (${supporterId}, 'sync', ${api.clock.now()}, null, 9, ${api.clock.now()}, ${api.clock.now()})`;
    await bucket`
      insert into holder_reviews (supporter_id, account_id, asked_at) values (${supporterId}, ${person.account.id}, ${api.clock.now()})`;
  }
  await runDebits({ ...api, db }, isoDate('2026-11-25'), { force: true });
});
afterEach(() => {
  for (const proxy of Object.values(proxies)) proxy.mend();
});
afterAll(async () => {
  await api.close();
  await db.end({ timeout: 1 });
  for (const proxy of Object.values(proxies)) proxy.close();
  await database.drop();
});

test.each([[['west']], [['east', 'west']]] as const)(
  'what needs every bucket is unavailable without %s',
  async (cut) => {
    for (const name of cut) proxies[name].cut();
    const { status, body } = await callConsole(api.app, contract.retrieveTrustBalance, {}, owner);
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
  },
);

interface Row {
  id: string;
  supporterId?: string | null;
  supporter?: { id: string } | null;
}
const idOf = ({ id, supporter, supporterId }: Row): string => supporterId ?? supporter?.id ?? id;
const idsOf = (some: TestSupporter[]) => some.map(({ supporterId }) => supporterId).toSorted();

test.each([
  ['supporters', contract.listSupporters, {}],
  ['supporters of a name', contract.listSupporters, { search: 'Robin' }],
  ['payments', contract.listPayments, {}],
  ['payments of a name', contract.listPayments, { search: 'Robin' }],
  ['mails', contract.listMails, { about: 'password_changed' }],
  ['parked work', contract.listParkedWork, {}],
  ['accounts in another name', contract.listHolderReviews, {}],
])('a list of %s leaves out a server that does not answer, and says so', async (_name, operation, input) => {
  const list = async () => {
    const { status, body } = await callConsole(api.app, operation, { limit: 50, ...input }, owner);
    expect(status).toBe(200);
    const rows: Row[] = body.rows;
    return { silentServers: body.silentServers, ids: [...new Set(rows.map(idOf))].toSorted() };
  };
  const whole = await list();
  expect(whole.silentServers).toEqual([]);
  proxies.west.cut();
  const [first, second] = people;
  expect(await list()).toEqual({ silentServers: ['west'], ids: idsOf([first, second] as TestSupporter[]) });
  for (const proxy of Object.values(proxies)) proxy.cut();
  expect(await list()).toEqual({ silentServers: ['east', 'west'], ids: [] });
  for (const proxy of Object.values(proxies)) proxy.mend();
  expect(await list()).toEqual(whole);
});

test('the day at a glance leaves out the supporters of a server that does not answer, and says so', async () => {
  const read = async () => {
    const { silentServers, namesToReview, queues } = (await callConsole(api.app, contract.retrieveToday, {}, owner))
      .body;
    return { silentServers, namesToReview, mails: queues.mailsWaiting };
  };
  const whole = await read();
  expect(whole).toMatchObject({ silentServers: [], namesToReview: 4 });
  proxies.west.cut();
  const rest = await read();
  expect(rest).toMatchObject({ silentServers: ['west'], namesToReview: 2 });
  expect(rest.mails).toBeLessThan(whole.mails);
});

test('a page of mails goes on where the one before ended while a server is left out', async () => {
  proxies.east.cut();
  const page = async (after?: string) =>
    (
      await callConsole(
        api.app,
        contract.listMails,
        { limit: 1, about: 'password_changed', ...(after && { after }) },
        owner,
      )
    ).body;
  const first = await page();
  const second = await page(first.next ?? '');
  const [, , third, fourth] = people;
  const found = [...first.rows, ...second.rows].map(({ supporterId }) => supporterId).toSorted();
  expect(found).toEqual(idsOf([third, fourth] as TestSupporter[]));
});

test('requests are listed and agreed to while the server of a supporter whom one is about does not answer', async () => {
  const asker = { kind: 'operating_system', id: 'alice' } as const;
  const ask = (act: 'refund' | 'tenant_resume', args: object) =>
    askApproval({ ...api, db }, { act, arguments: args, summary: act }, asker);
  const reason = 'asked for';
  for (const { supporterId } of people)
    await ask('refund', { supporterId, debitId: crypto.randomUUID(), amount: 100, reason });
  await suspendTenant(
    { db, clock: api.clock, actor: { kind: 'operating_system', id: 'robin' } },
    'default',
    'a complaint',
  );
  const { id } = await ask('tenant_resume', { tenant: 'default', since: api.clock.now() });
  const list = async () => {
    const { status, body } = await callConsole(api.app, contract.listApprovals, {}, owner);
    const about = body.approvals?.flatMap(({ lines }) => lines.filter(({ label }) => label === 'Supporter'));
    return { status, unread: about?.filter(({ value }) => value.startsWith('not read')).length };
  };
  expect(await list()).toEqual({ status: 200, unread: 0 });
  proxies.west.cut();
  expect(await list()).toEqual({ status: 200, unread: 2 });
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, owner)).status).toBe(200);
});
