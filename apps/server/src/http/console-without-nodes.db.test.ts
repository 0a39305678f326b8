import * as contract from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Pool } from '#db/connect.ts';
import { runDebits } from '#features/collections/debits/run-debits.ts';
import { suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { askApproval } from '#features/core/approvals/approve.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import { type AppUnderTest, anApp } from '#testing/app-under-test.ts';
import { aCluster, type TestCluster } from '#testing/citus-stand-in.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aDatabase, type TestDatabase } from '#testing/database.ts';
import { aClub, aPurchase, aSupporter, type TestSupporter, uidsInEachBucket } from '#testing/makers.ts';

let database: TestDatabase;
let cluster: TestCluster;
let db: Pool;
let api: AppUnderTest;
let owner: TestOperator;
let people: TestSupporter[];

beforeAll(async () => {
  database = await aDatabase(4, { isJoined: false });
  db = database.pool;
  cluster = await aCluster(db);
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
afterEach(() => cluster.mend());
afterAll(async () => {
  await api.close();
  await database.drop();
});

const [east, west] = ['east:5432', 'west:5433'];

test.each([[[west]], [[east, west]]])('what needs every bucket is unavailable without %s', async (cut) => {
  for (const name of cut) cluster.cut(name);
  const { status, body } = await callConsole(api.app, contract.retrieveTrustBalance, {}, owner);
  expect([status, body.error.code]).toEqual([503, 'unavailable']);
});

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
])('a list of %s leaves out a node that does not answer, and says so', async (_name, operation, input) => {
  const list = async () => {
    const { status, body } = await callConsole(api.app, operation, { limit: 50, ...input }, owner);
    expect(status).toBe(200);
    const rows: Row[] = body.rows;
    return { silentServers: body.silentServers, ids: [...new Set(rows.map(idOf))].toSorted() };
  };
  const whole = await list();
  expect(whole.silentServers).toEqual([]);
  cluster.cut(west);
  const [first, , third] = people;
  expect(await list()).toEqual({ silentServers: [west], ids: idsOf([first, third] as TestSupporter[]) });
  cluster.cut(east);
  expect(await list()).toEqual({ silentServers: [east, west], ids: [] });
  cluster.mend();
  expect(await list()).toEqual(whole);
});

test('the day at a glance leaves out the supporters of a node that does not answer, and says so', async () => {
  const read = async () => {
    const { silentServers, namesToReview, queues } = (await callConsole(api.app, contract.retrieveToday, {}, owner))
      .body;
    return { silentServers, namesToReview, mails: queues.mailsWaiting };
  };
  const whole = await read();
  expect(whole).toMatchObject({ silentServers: [], namesToReview: 4 });
  cluster.cut(west);
  const rest = await read();
  expect(rest).toMatchObject({ silentServers: [west], namesToReview: 2 });
  expect(rest.mails).toBeLessThan(whole.mails);
});

test('while a node is left out, the next page of emails begins where the last one ended', async () => {
  cluster.cut(east);
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
  const [, ofWest, , alsoOfWest] = people;
  const found = [...first.rows, ...second.rows].map(({ supporterId }) => supporterId).toSorted();
  expect(found).toEqual(idsOf([ofWest, alsoOfWest] as TestSupporter[]));
});

test('requests are listed and agreed to while the node of a supporter concerned does not answer', async () => {
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
  cluster.cut(west);
  expect(await list()).toEqual({ status: 200, unread: 2 });
  expect((await callConsole(api.app, contract.agreeToApproval, { id }, owner)).status).toBe(200);
});
