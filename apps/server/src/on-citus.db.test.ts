import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { engines } from '#db/engine.ts';
import { prepareSchema } from '#db/prepare-schema.ts';
import { editClub } from '#features/clubs/edit-club.ts';
import { planDebits } from '#features/debits/plan-debits.ts';
import { submitDebits } from '#features/debits/submit-debits.ts';
import { auditBooks } from '#features/ledger/audit-books.ts';
import { applyOutcome } from '#features/outcomes/apply-outcome.ts';
import { recordRoundUps } from '#features/round-ups/record-round-ups.ts';
import { today } from '#ports/clock.ts';
import { citusUrl, emptyDatabase } from '#testing/citus-database.ts';
import { fakeBankLink } from '#testing/fake-bank-link.ts';
import { fakeDirectDebit } from '#testing/fake-direct-debit.ts';
import {
  aClock,
  aClub,
  aPurchase,
  aSupporter,
  aTenant,
  cleared,
  someTenants,
  type TestSupporter,
  uidsInEachBucket,
} from '#testing/makers.ts';
import { balancesOf } from '#testing/money-day.ts';

/**
 * A new, empty database at the coordinator of a cluster with two nodes or more, prepared as docs/going-live.md says: as the
 * product's role and, where that does not own it, as the role that does.
 */
const url = process.env.CITUS_URL ?? '';
const ownerUrl = process.env.CITUS_OWNER_URL;
const { citus } = engines;
const clock = aClock();
const directDebit = fakeDirectDebit();

describe.skipIf(url === '')(`on a Citus cluster${url === '' ? ' (skipped: CITUS_URL is not set)' : ''}`, () => {
  let db: Pool;
  let owner: Pool;
  let clubId: string;
  let people: TestSupporter[];
  beforeAll(async () => {
    if (citusUrl) await emptyDatabase(citusUrl, 4); // where other tests have used it
    db = connect(url, { max: 6, buckets: 4 });
    owner = connect(ownerUrl ?? url, { max: 2, buckets: 4 });
  });
  afterAll(() => Promise.all([db.end(), owner.end()]));

  const record = (person: TestSupporter) =>
    recordRoundUps(db.of(person.supporterId), clock.now(), [aPurchase(person, { cents: 430 })]);

  test('a new database is spread over the nodes, and again nothing changes', async () => {
    await prepareSchema(db, ownerUrl, citus);
    const listed = await citus.listBuckets(db);
    expect(listed.map(({ bucket, size }) => [bucket, size?.supporters])).toEqual([0, 1, 2, 3].map((each) => [each, 0]));
    expect(new Set(listed.map(({ node }) => node)).size).toBeGreaterThan(1);
    await prepareSchema(db, ownerUrl, citus);
    expect(await citus.listBuckets(db)).toEqual(listed);
  });

  test('supporters of each bucket buy, are debited, and their books and audit log are whole', async () => {
    clubId = await aClub(db);
    people = [];
    for (const uid of uidsInEachBucket(4, 1)) people.push(await aSupporter(db, { uid, clubId, directDebit }));
    for (const person of people) await record(person);
    const tenants = someTenants(aTenant());
    await planDebits(db, clock, tenants, isoDate(today(clock)));
    await submitDebits({ db, clock, tenants, directDebit, bankLink: fakeBankLink(), statementName: 'SPARECHANGE' });
    for (const { providerRef } of directDebit.taken) await applyOutcome({ db, clock }, cleared(providerRef));
    for (const person of people) expect(await balancesOf(db, person)).toEqual({ cash: 70, club_payable: 70 });
    expect((await auditBooks(db)).violations).toEqual([]);
  });

  test("a club's link and contact change on every node, and the former ones are kept", async () => {
    await editClub({ db, clock, by: 'operator' }, clubId, { slug: 'a-new-link', contactEmail: 'pat@rovers.example' });
    const [former] = await db`select slug from club_slugs where club_id = ${clubId}`;
    expect(former).toEqual({ slug: `club-${clubId}` });
  });

  test('a bucket moves to another node while its supporter buys; no purchase fails, and none is lost', async () => {
    const [person] = people as [TestSupporter];
    const bucket = (await citus.listBuckets(db)).find(({ size }) => size?.supporters === 1);
    const others = await db<{ name: string }[]>`
      select nodename || ':' || nodeport as name from pg_dist_node
      where shouldhaveshards and isactive and noderole = 'primary' and nodename || ':' || nodeport <> ${bucket?.node ?? ''}`;
    let isMoved = false;
    const moved = citus.moveBucket(owner, 0, others[0]?.name ?? '').finally(() => {
      isMoved = true;
    });
    let bought = 0;
    for (; !isMoved || bought < 10; bought += 1) await record(person);
    expect(await moved).toEqual({ became: 'moved', leavesCopy: false });
    expect((await citus.listBuckets(db))[0]?.node).toBe(others[0]?.name);
    expect(await balancesOf(db, person)).toMatchObject({ pledged: 70 * bought });
    expect((await auditBooks(db)).violations).toEqual([]);
  });

  test('a second rebalance finds nothing to move', async () => {
    await citus.rebalance(owner);
    expect(await citus.rebalance(owner)).toBe('even already');
  });
});
