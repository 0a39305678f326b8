import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Pool } from '#db/connect.ts';
import { engines } from '#db/engine.ts';
import { prepareSchema } from '#db/prepare-schema.ts';
import { editClub } from '#features/beneficiaries/clubs/edit-club.ts';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { submitDebits } from '#features/collections/debits/submit-debits.ts';
import { applyOutcome } from '#features/collections/outcomes/apply-outcome.ts';
import { auditBooks } from '#features/core/ledger/audit-books.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
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

  /** Returns the name of another node that takes buckets. */
  const nodeBeside = async (node: string | null | undefined): Promise<string> => {
    const [other] = await db<{ name: string }[]>`
      select nodename || ':' || nodeport as name from pg_dist_node
      where shouldhaveshards and isactive and noderole = 'primary' and nodename || ':' || nodeport <> ${node ?? ''} limit 1`;
    return other?.name ?? '';
  };
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
    const other = await nodeBeside(bucket?.node);
    let isMoved = false;
    const moved = citus.moveBucket(owner, 0, other).finally(() => {
      isMoved = true;
    });
    let bought = 0;
    for (; !isMoved || bought < 10; bought += 1) await record(person);
    await moved;
    expect((await citus.listBuckets(db))[0]?.node).toBe(other);
    expect(await balancesOf(db, person)).toMatchObject({ pledged: 70 * bought });
    expect((await auditBooks(db)).violations).toEqual([]);
  });

  test('sixty supporters buy and are debited while a bucket moves and the nodes are evened out, and no call fails', async () => {
    const crowd: TestSupporter[] = [];
    for (const uid of uidsInEachBucket(4, 16)) // the first of each is there already
      if (!people.some((person) => person.uid === uid)) crowd.push(await aSupporter(db, { uid, clubId, directDebit }));
    const other = await nodeBeside((await citus.listBuckets(db))[1]?.node);
    let isOver = false;
    const moves = (async () => {
      await citus.moveBucket(owner, 1, other);
      await citus.rebalance(owner);
    })().finally(() => {
      isOver = true;
    });
    const tenants = someTenants(aTenant());
    const settled = new Set(directDebit.taken.map(({ id }) => id));
    let rounds = 0;
    for (; !isOver || rounds < 2; rounds += 1) {
      clock.setTo(new Date(clock.now().getTime() + 24 * 60 * 60_000).toISOString());
      for (const person of crowd)
        await recordRoundUps(db.of(person.supporterId), clock.now(), [
          aPurchase(person, { cents: 430, day: today(clock) }),
        ]);
      await planDebits(db, clock, tenants, isoDate(today(clock)));
      await submitDebits({ db, clock, tenants, directDebit, bankLink: fakeBankLink(), statementName: 'SPARECHANGE' });
      for (const { id, providerRef, kind } of directDebit.taken)
        if (kind === 'debit' && !settled.has(id)) {
          await applyOutcome({ db, clock }, cleared(providerRef));
          settled.add(id);
        }
    }
    await moves;
    for (const person of crowd) {
      const { cash, club_payable: payable, ...others } = await balancesOf(db, person);
      expect([cash, payable, others]).toEqual([70 * rounds, 70 * rounds, {}]);
    }
    expect((await auditBooks(db)).violations).toEqual([]);
  }, 600_000);

  test('a second rebalance finds nothing to move', async () => {
    await citus.rebalance(owner);
    expect(await citus.rebalance(owner)).toBe('even already');
  });
});
