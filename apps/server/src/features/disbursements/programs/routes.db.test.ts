import { randomUUID } from 'node:crypto';
import { CallRefused, type Client, eachOf, makeClient } from '@sparechange/client';
import { ErrorBody } from '@sparechange/contract';
import { programExamples } from '@sparechange/contract/openapi';
import { KeyScope, programOperations } from '@sparechange/contract/programs';
import { isoDate } from '@sparechange/domain';
import { isReservedSlug } from '@sparechange/domain/reserved-slugs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeAndRollUp } from '#features/disbursements/remittances/close-and-roll-up.ts';
import { remitToClubs } from '#features/disbursements/remittances/remit-to-clubs.ts';
import { type AppUnderTest, anApp, endedClubId } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';
import { setBankDetails } from '#testing/money-day.ts';
import { paidClub } from '#testing/paid-club.ts';
import { createKey, revokeKey } from './keys.ts';

const robin = { kind: 'operating_system', id: 'robin' } as const;
const paid = paidClub();
let api: AppUnderTest;
let url: string;
let league: string;
let divers: string;
let rovers: string;
const clock = { now: () => new Date('2026-11-25T00:00:00Z') };
const deps = () => ({ db: paid.database.pool, clock });

beforeAll(async () => {
  api = await anApp({ db: paid.database.pool, clock });
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());
beforeEach(async () => {
  const db = paid.database.pool;
  rovers = paid.id();
  league = await aClub(db, { name: 'The League' });
  divers = await aClub(db, { name: 'Harbour Divers' });
  await db`update clubs set parent_id = ${league} where id = ${rovers}`;
  await setBankDetails(db, divers, '87654321');
});

const keyFor = async (clubId?: string, scopes: KeyScope[] = KeyScope.options) =>
  (await createKey(deps(), { name: 'A program', scopes, clubId, days: 30 }, robin)).text;
const clientFor = async (clubId?: string): Promise<Client> => makeClient({ url, key: await keyFor(clubId) });

/** Pays out the gifts of five people to one club, and of one person to the other. */
async function payOut(): Promise<void> {
  for (let giver = 0; giver < 5; giver += 1) await paid.gives(10 + giver, rovers);
  await paid.gives(70, divers);
  paid.on('2026-11-25');
  await remitToClubs(paid.deps());
  await paid.arrives();
}

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => (error instanceof CallRefused ? error.status : Number.NaN),
  );

describe('with a key for everything', () => {
  test('a payout is read with its lines, which add up to it, and with balanced totals', async () => {
    await payOut();
    const client = await clientFor();
    const payouts = await all(eachOf(client.listPayouts, { from: '2026-11-25', to: '2026-11-25' }));
    expect(payouts).toHaveLength(2);
    for (const { id, amountCents } of payouts) {
      const { lines, ...payout } = await client.getPayout({ id });
      expect(payout).toMatchObject({ paidOn: '2026-11-25', state: 'cleared', outcomeAt: expect.any(String) });
      expect(lines?.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(amountCents);
    }
    for (const total of await all(eachOf(client.listTotals, {}))) {
      const { collectedCents, correctedCents, ...to } = total;
      const rest = to.payableCents + to.reservedCents + to.inTransitCents + to.remittedCents;
      expect([total.clubId, rest]).toEqual([total.clubId, collectedCents + correctedCents]);
    }
  });

  test('numbers of supporters are hidden below five', async () => {
    await payOut();
    await closeAndRollUp(paid.database.pool, isoDate('2026-11-25'));
    const client = await clientFor();
    expect((await client.getClub({ id: rovers })).supporters).toBe(5);
    expect((await client.getClub({ id: divers })).supporters).toBeNull();
    const [total] = (await client.listTotals({ clubId: divers })).items;
    expect(total).toMatchObject({ collectedCents: 70, supporters: null });
    for (const [clubId, supporters] of [
      [rovers, 5],
      [divers, null],
    ] as const) {
      const [payout] = (await client.listPayouts({ clubId })).items;
      expect((await client.getPayout({ id: payout?.id ?? '' })).lines).toMatchObject([{ supporters }]);
    }
  });

  test('a club shows when its gifts end, by its retirement and by its campaign', async () => {
    const db = paid.database.pool;
    const client = await clientFor();
    expect((await client.getClub({ id: rovers })).endsOn).toBeNull();
    await db`update clubs set ends_on = '2026-12-01' where id = ${rovers}`;
    await aClub(db, { id: endedClubId });
    expect((await client.getClub({ id: rovers })).endsOn).toBe('2026-12-01');
    const ends = (await all(eachOf(client.listClubs, {}))).map(({ id, endsOn }) => [id, endsOn]);
    expect(ends).toContainEqual([endedClubId, '2026-11-25']);
    expect(await client.updateClub({ id: rovers, suburb: 'Bay' })).toMatchObject({ endsOn: '2026-12-01' });
  });

  test('a list is paged; entries added in between do not shift it', async () => {
    const client = await clientFor();
    const seen: string[] = [];
    for await (const { id } of eachOf(client.listClubs, { limit: 1 })) {
      seen.push(id);
      if (seen.length < 4) await aClub(paid.database.pool, { name: 'New' });
    }
    for (const id of [rovers, league, divers]) expect(seen.filter((each) => each === id)).toEqual([id]);
    expect(new Set(seen).size).toBe(seen.length);
    expect((await client.listClubs({ parentId: league })).items.map(({ id }) => id)).toEqual([rovers]);
  });

  test('a club is changed, field by field, and the author is recorded', async () => {
    const client = await clientFor();
    const about = 'Football, by the river & "more"';
    expect(await client.updateClub({ id: rovers, about, goalDollars: 500 })).toMatchObject({ about, goalDollars: 500 });
    expect(await client.updateClub({ id: rovers, about: null })).toMatchObject({ about: null, goalDollars: 500 });
    expect(await client.updateClub({ id: rovers })).toMatchObject({ about: null, goalDollars: 500 });
    const entries = await paid.database.pool`
      select details->>'fields' as fields from audit_log where action = 'club changed' order by id`;
    expect([...entries]).toEqual([{ fields: 'about goalDollars' }, { fields: 'about' }]);
  });
});

test('a key of a league sees its clubs and nobody else', async () => {
  const client = await clientFor(league);
  const ids = (await all(eachOf(client.listClubs, {}))).map(({ id }) => id);
  expect(ids.toSorted()).toEqual([league, rovers].toSorted());
});

test("no operation shows or changes another club's data", async () => {
  await payOut();
  const every = await clientFor();
  const [payout] = (await every.listPayouts({ clubId: divers })).items;
  const before = await every.getClub({ id: divers });
  const client = await clientFor(rovers);
  const foreign: { [Name in keyof Client]: () => Promise<unknown>[] } = {
    listClubs: () => [client.listClubs({}), client.listClubs({ parentId: divers })],
    getClub: () => [client.getClub({ id: divers }), client.getClub({ id: league })],
    updateClub: () => [client.updateClub({ id: divers, about: 'Mine' })],
    listPayouts: () => [client.listPayouts({}), client.listPayouts({ clubId: divers })],
    getPayout: () => [client.getPayout({ id: payout?.id ?? '' })],
    listTotals: () => [client.listTotals({}), client.listTotals({ clubId: divers })],
  };
  expect(Object.keys(foreign).toSorted()).toEqual(Object.keys(programOperations).toSorted());
  for (const [name, calls] of Object.entries(foreign)) {
    const answers = calls().map((call) => call.catch((error: CallRefused) => ({ refused: error.status })));
    for (const answer of await Promise.all(answers)) {
      const text = JSON.stringify(answer);
      expect([name, text.includes(divers), text.includes(payout?.id ?? '')]).toEqual([name, false, false]);
      if (!name.startsWith('list')) expect([name, answer]).toEqual([name, { refused: 404 }]);
    }
  }
  expect(await every.getClub({ id: divers })).toEqual(before);
  expect(await statusOf(client.getClub({ id: randomUUID() }))).toBe(404);
});

/** Sends an operation's example, with that authorization. */
function send(name: keyof Client, authorization?: string, payload?: unknown, headers: Record<string, string> = {}) {
  const { method, path } = programOperations[name];
  const { id, ...rest } = (programExamples[name]?.input ?? {}) as { id?: string };
  return api.app.inject({
    method,
    url: `/api${path.replace('{id}', id ?? '')}`,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(method === 'PATCH' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(method === 'PATCH'
      ? { payload: JSON.stringify(payload === undefined ? rest : payload) }
      : { query: (payload ?? rest) as Record<string, string> }),
  });
}

describe.each(Object.values(programOperations))('$name', ({ name, scope, method, path }) => {
  const operation = name as keyof Client;

  test('requires its scope, and accepts no other', async () => {
    const others = await keyFor(
      undefined,
      KeyScope.options.filter((each) => each !== scope),
    );
    const refused = await send(operation, `Bearer ${others}`);
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'not-allowed']);
    const admitted = await send(operation, `Bearer ${await keyFor(undefined, [scope])}`);
    expect([200, 404]).toContain(admitted.statusCode);
  });

  test('is refused without a valid key', async () => {
    const key = await keyFor();
    const revoked = await createKey(deps(), { name: 'Old', scopes: KeyScope.options, days: 1 }, robin);
    await revokeKey(deps(), revoked.id, robin);
    for (const each of [undefined, '', 'Bearer', `Basic ${key}`, key, `Bearer ${key}0`, `Bearer ${revoked.text}`]) {
      const answer = await send(operation, each, undefined, { apikey: 'apikey-of-tenant-default', tenant: 'default' });
      expect([each, answer.statusCode, answer.headers['www-authenticate']]).toEqual([each, 401, 'Bearer']);
      expect(ErrorBody.parse(answer.json()).error.code).toBe('unknown-key');
    }
  });

  test('refuses invalid input', async () => {
    const authorization = `Bearer ${await keyFor()}`;
    const wrong: unknown[] =
      method === 'PATCH'
        ? [null, [], 'text', 7, { goalDollars: 0 }, { about: 'a\nb' }, { about: '' }, { suburb: 'x'.repeat(61) }]
        : path.includes('{id}')
          ? []
          : [{ limit: '0' }, { limit: '101' }, { limit: 'x' }, { cursor: 'x' }, { cursor: `${'A'.repeat(21)}/` }];
    for (const payload of wrong) {
      const answer = await send(operation, authorization, payload);
      expect([payload, answer.statusCode]).toEqual([payload, 400]);
    }
    const elsewhere = await api.app.inject({ method: 'PUT', url: `/api${path.replace('{id}', randomUUID())}` });
    expect([elsewhere.statusCode, elsewhere.headers.allow]).toEqual([405, expect.stringContaining(method)]);
  });

  test('has the headers of every answer', async () => {
    const answer = await send(operation, `Bearer ${await keyFor()}`);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      'cache-control': expect.stringMatching(/no-store|private, no-cache/),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test('an answer that a program already has is not sent again', async () => {
  const authorization = `Bearer ${await keyFor()}`;
  const first = await send('listClubs', authorization);
  const tag = String(first.headers.etag);
  const again = await send('listClubs', authorization, undefined, { 'if-none-match': `"other", ${tag}` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await aClub(paid.database.pool, { name: 'New' });
  expect((await send('listClubs', authorization, undefined, { 'if-none-match': tag })).statusCode).toBe(200);
});

test('a key has a limit of its own', async () => {
  const [one, other] = [await keyFor(), await keyFor()];
  const statuses = new Set<number>();
  // A few at a time: a busy machine answers hundreds together too late.
  for (let sent = 0; sent < 700; sent += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('listClubs', `Bearer ${one}`)));
    for (const { statusCode } of answers) statuses.add(statusCode);
  }
  expect(statuses).toEqual(new Set([200, 429]));
  expect((await send('listClubs', `Bearer ${other}`)).statusCode).toBe(200);
});

test('its address is one that no club can have as a slug', () => {
  expect(Object.values(programOperations).every(({ path }) => path.startsWith('/v1/'))).toBe(true);
  expect(isReservedSlug('api')).toBe(true);
});
