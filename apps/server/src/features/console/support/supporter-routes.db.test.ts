import * as contract from '@sparechange/contract/console';
import { isoDate } from '@sparechange/domain';
import { expect, test } from 'vitest';
import { holdSupporter, listHolds, releaseSupporter } from '#features/collections/debits/hold-supporter.ts';
import { closeDays } from '#features/core/ledger/booking-day.ts';
import { keepRequestText, requestTextOf } from '#features/correspondence/direct-debit-request/request-text.ts';
import { closeAccount } from '#features/supporters/offboarding/close-supporter.ts';
import { pauseRoundUps } from '#features/supporters/round-ups/pause-round-ups.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aPastDebit } from '#testing/past-debit.ts';

const api = ownApp({ edge: { rateLimitFactor: 0 } });

async function as(role: 'owner' | 'support' | 'finance') {
  const { cookie } = await anOperator(api.db, { roles: [role] });
  return <Op extends contract.ConsoleOperation>(operation: Op, input: object) =>
    callConsole(api.app, operation, input, { cookie });
}

test('lists everybody once, newest first, page by page over all buckets', async () => {
  const made: string[] = [];
  for (const minute of [0, 1, 1, 2, 3]) {
    const { supporterId } = await api.supporter();
    made.push(supporterId);
    await api.rows`
      update supporters set registered_at = ${new Date(Date.UTC(2026, 10, 20, 10, minute))} where supporter_id = ${supporterId}`;
  }
  const call = await as('support');
  const page = (after?: string) => call(contract.listSupporters, { limit: '2', ...(after ? { after } : {}) });
  const seen: string[] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const answer: Awaited<ReturnType<typeof page>> = await page(after);
    seen.push(...answer.body.rows.map(({ id }) => id));
    after = answer.body.next;
  }
  expect(seen.toSorted()).toEqual(made.toSorted());
  expect([seen[0], seen[1], seen[4]]).toEqual([made[4], made[3], made[0]]);
});

test('finds by id and address', async () => {
  const { supporterId } = await api.supporter({ email: 'found@example.com' });
  const call = await as('finance');
  for (const search of [supporterId, 'found@example.com']) {
    const { body } = await call(contract.listSupporters, { search });
    expect([body.rows.map(({ id }) => id), body.next]).toEqual([[supporterId], null]);
    expect(body.rows[0]?.tenant).toBe(api.tenants.byKey('default')?.name);
  }
  const { body } = await call(contract.listSupporters, { search: '%' });
  expect(body.rows).toEqual([]);
});

test('lists the results of a search once, by name, page by page over all buckets', async () => {
  const names = ['Abel', 'Élan', 'abbott', 'Zed', 'de Vries', 'O’Brien', 'Obrien'];
  for (const name of [...names, 'Zed']) {
    const { supporterId } = await api.supporter();
    await api.rows`update supporters set first_name = 'Paged', last_name = ${name} where supporter_id = ${supporterId}`;
  }
  const call = await as('support');
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { body } = await call(contract.listSupporters, { search: 'paged', limit: '3', ...(after ? { after } : {}) });
    seen.push(...body.rows.map(({ id }: { id: string }) => id));
    expect(body.rows.length).toBe(body.next === null ? 2 : 3);
    after = body.next as string | null;
  }
  expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
  const newest = (await call(contract.listSupporters, { limit: '1' })).body.next ?? '';
  for (const wrong of [{ search: 'paged', after: newest }, { after: '50' }])
    expect((await call(contract.listSupporters, wrong)).status).toBe(400);
});

test('finds supporters on hold, until they are released', async () => {
  const { supporterId } = await api.supporter({ email: 'held@example.com' });
  await api.supporter({ email: 'free@example.com' });
  const call = await as('support');
  const found = async (filter: object) =>
    (await call(contract.listSupporters, { state: 'on_hold', ...filter })).body.rows.map(({ email }) => email);
  expect(await found({})).toEqual([]);
  await holdSupporter(api.db, api.clock, supporterId, 'asked');
  expect(await found({})).toEqual(['held@example.com']);
  expect(await found({ search: 'held@example.com' })).toEqual(['held@example.com']);
  expect(await found({ search: 'free@example.com' })).toEqual([]);
  await releaseSupporter(api.db, api.clock, supporterId, 'settled');
  expect(await found({})).toEqual([]);
});

test('shows of each, found or listed, whether they are on hold or paused, over all buckets', async () => {
  const held: string[] = [];
  const paused: string[] = [];
  for (const into of [held, paused, [], held, paused]) {
    const { supporterId } = await api.supporter();
    into.push(supporterId);
  }
  for (const id of held) await holdSupporter(api.db, api.clock, id, 'asked');
  for (const id of paused) await pauseRoundUps(api.db.of(id), api.clock, id, 'supporter');
  const call = await as('support');
  const { rows } = (await call(contract.listSupporters, {})).body;
  const idsOf = (which: 'isOnHold' | 'isPaused') => rows.flatMap((row) => (row[which] ? [row.id] : []));
  expect([idsOf('isOnHold').toSorted(), idsOf('isPaused').toSorted()]).toEqual([held.toSorted(), paused.toSorted()]);
  const [found] = (await call(contract.listSupporters, { search: held[0] })).body.rows;
  expect(found).toMatchObject({ isOnHold: true, isPaused: false });
  for (const id of held) await releaseSupporter(api.db, api.clock, id, 'settled');
});

test('a supporter with a closed account is not listed as on hold: nobody can release them', async () => {
  const { supporterId } = await api.supporter();
  await holdSupporter(api.db, api.clock, supporterId, 'asked');
  const call = await as('support');
  const held = async () => [
    ...(await call(contract.listSupporters, { state: 'on_hold' })).body.rows,
    ...(await listHolds(api.db)),
  ];
  expect(await held()).toHaveLength(2);
  await closeAccount(
    { ...api, db: api.db.of(supporterId), removeUser: async () => 'removed' },
    supporterId,
    'supporter',
  );
  expect(await held()).toEqual([]);
});

test("shows a supporter's state, account numbers masked", async () => {
  const { supporterId } = await api.supporter({ email: 'stands@example.com' });
  await pauseRoundUps(api.db.of(supporterId), api.clock, supporterId, 'supporter');
  await holdSupporter(api.db, api.clock, supporterId, 'asked on the telephone');
  const call = await as('support');
  const { status, body } = await call(contract.retrieveSupporter, { supporterId });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    email: 'stands@example.com',
    closedOn: null,
    hold: { because: 'asked on the telephone' },
    record: { isUserPausedRoundUp: true, nextDebit: null, isOnHold: true },
  });
  for (const { maskedNumber } of body.accounts) expect(maskedNumber).toMatch(/^X+\d{0,4}$/);
  expect(body.accounts.length).toBeGreaterThan(0);
});

test('shows the events, newest first, and nobody by an unknown id', async () => {
  const { supporterId } = await api.supporter();
  await pauseRoundUps(api.db.of(supporterId), api.clock, supporterId, 'supporter');
  const call = await as('support');
  const { body } = await call(contract.retrieveTimeline, { supporterId });
  expect(body).toMatchObject({ isWhole: true, leftOut: 0 });
  const numbers = body.events.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, place) => numbers.length - place));
  expect(body.events.map(({ sentence }) => sentence).join()).toContain('paused round-ups');
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const operation of [contract.retrieveSupporter, contract.retrieveTimeline, contract.listSupporterReceipts])
    expect((await call(operation, { supporterId: unknown })).status).toBe(404);
});

test("receipts are listed and saved, also of a closed account, in the supporter's very file", async () => {
  const supporter = await api.supporter();
  const { supporterId } = supporter;
  await aPastDebit(api.db, supporter, { day: '2026-10-07', amount: 430 });
  await closeDays(api.db, isoDate('2026-10-31'));
  await api.rows`update supporters set closed_on = '2026-11-02' where supporter_id = ${supporterId}`;
  const call = await as('support');
  const listed = async () => (await call(contract.listSupporterReceipts, { supporterId })).body.receipts;
  expect(await listed()).toMatchObject([{ kind: 'month', firstDay: '2026-10-01', totalCents: 430, number: null }]);
  const october = { supporterId, kind: 'month', firstDay: '2026-10-01' };
  const { body: file } = await call(contract.downloadSupporterReceipt, october);
  const [receipt] = await listed();
  expect(file.name).toBe(`receipt-${receipt?.number}.pdf`);
  expect(Buffer.from(file.content, 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
  const [kept] = await api.rows<{ pdf: Uint8Array }[]>`select pdf from receipts where supporter_id = ${supporterId}`;
  expect(file.content).toBe(Buffer.from(kept?.pdf ?? []).toString('base64'));
  expect((await call(contract.downloadSupporterReceipt, { ...october, firstDay: '2026-09-01' })).status).toBe(404);
});

test('the direct debit request is read as it was agreed to', async () => {
  const supporter = await api.supporter();
  const { supporterId } = supporter;
  const text = requestTextOf({ key: 'default' });
  await keepRequestText(api.db.of(supporterId), text, api.clock.now());
  await api.rows`update mandates set text_hash = ${text.hash} where supporter_id = ${supporterId}`;
  const call = await as('finance');
  const { body } = await call(contract.retrieveTimeline, { supporterId });
  const agreed = body.events.filter(({ textHash }) => textHash !== null);
  expect(agreed).toMatchObject([
    { textHash: text.hash, sentence: expect.stringContaining('agreed to the direct debit') },
  ]);
  const { body: shown } = await call(contract.retrieveRequestText, { hash: text.hash });
  expect(shown).toEqual({ version: text.version, content: text.content });
  expect((await call(contract.retrieveRequestText, { hash: '0'.repeat(64) })).status).toBe(404);
});
