import { randomUUID } from 'node:crypto';
import { findClubBySlug, retrieveClubs } from '@sparechange/contract';
import { isoDate } from '@sparechange/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planDebits } from '#features/collections/debits/plan-debits.ts';
import { addEndpoint } from '#features/disbursements/outgoing-webhooks/endpoints.ts';
import { recordRoundUps } from '#features/supporters/round-ups/record-round-ups.ts';
import type { CheckDrawings } from '#tenants/check-tenants.ts';
import type { AppUnderTest } from '#testing/app-under-test.ts';
import { aPurchase, aTenant, someTenants, testEncryption } from '#testing/makers.ts';
import { aWholeApp } from '#testing/whole-app.ts';
import { addClub, editClub, reinstateClub, retireClub } from './edit-club.ts';
import { importClubs } from './import-clubs.ts';

let api: AppUnderTest;
beforeAll(async () => {
  api = await aWholeApp();
});
afterAll(() => api.close());

const deps = () => ({ db: api.db, clock: api.clock, by: 'alice' });
const clubOf = async (slug: string) => (await api.call(findClubBySlug, { club: slug })).body.clubId;
const actions = (id: string) => api.db<{ action: string }[]>`
  select action from audit_log where details->>'club' = ${id} and details->>'by' = 'alice' order by id`;

test('a club is added and edited by the given facts, and the audit log names the person', async () => {
  const parentId = await addClub(deps(), { name: 'Bay League', slug: 'bay-league' });
  const facts = {
    name: 'Bay Rovers',
    slug: 'bay-rovers',
    parentId,
    abn: '51 824 753 556',
    contactEmail: 'a@bay.example',
  };
  const id = await addClub(deps(), facts);
  await editClub(deps(), 'bay-rovers', { name: 'Bay Rovers FC', contactEmail: null });
  const [club] = await api.db`
    select name, slug, parent_id as "parentId", abn, contact_email as "contactEmail", advice_frequency as mailed
    from clubs where id = ${id}`;
  expect(club).toEqual({
    ...facts,
    name: 'Bay Rovers FC',
    abn: '51824753556',
    contactEmail: null,
    mailed: 'weekly',
  });
  expect((await actions(id)).map(({ action }) => action)).toEqual(['club added', 'club edited']);
});

test('a former link leads on to the new one, and to no other club', async () => {
  const id = await addClub(deps(), { name: 'Hill Divers', slug: 'hill-divers' });
  await editClub(deps(), id, { slug: 'divers' });
  expect(await clubOf('hill-divers')).toBe(id);
  const answer = await api.app.inject('/hill-divers?efg=1&u=poster');
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/divers?efg=1&u=poster']);
  await expect(addClub(deps(), { name: 'Others', slug: 'hill-divers' })).rejects.toThrow('or did');
  await editClub(deps(), id, { slug: 'hill-divers' });
  expect(await clubOf('divers')).toBe(id);
});

test('invalid facts are refused in a sentence and change nothing', async () => {
  const id = await addClub(deps(), { name: 'Quay Club', slug: 'quay' });
  const edit = async (given: Parameters<typeof editClub>[2]) => editClub(deps(), id, given);
  await expect(edit({ slug: 'login' })).rejects.toThrow('an address of the product');
  await expect(addClub(deps(), { name: 'Others', slug: id })).rejects.toThrow('an address of the product');
  await expect(edit({ abn: '12345678901' })).rejects.toThrow('check digits');
  await expect(edit({ contactEmail: 'nobody' })).rejects.toThrow('an email address');
  await expect(edit({ parentId: id })).rejects.toThrow('another club');
  await expect(edit({ parentId: '00000000-0000-4000-8000-000000000000' })).rejects.toThrow('parent was not found');
  await expect(editClub(deps(), 'no-such-club', {})).rejects.toThrow('The club was not found');
  expect((await actions(id)).map(({ action }) => action)).toEqual(['club added']);
});

test('a retired club is offered to nobody and debits nobody, until it is taken back', async () => {
  const id = await addClub(deps(), { name: 'Old Oak', slug: 'old-oak' });
  for (const clubId of [id, await addClub(deps(), { name: 'New Oak', slug: 'new-oak' })]) {
    const supporter = await api.supporter({ clubId });
    await recordRoundUps(api.db.of(supporter.supporterId), api.clock.now(), [aPurchase(supporter)]);
  }
  const isOffered = async () => (await api.call(retrieveClubs, {})).body.clubs.some(({ _id }) => _id === id);
  await expect(retireClub(deps(), id, isoDate('2020-01-01'))).rejects.toThrow('is past');
  await retireClub(deps(), id);
  expect(await isOffered()).toBe(false);
  const { planned } = await planDebits(api.db, api.clock, someTenants(aTenant()), isoDate('2026-11-25'));
  expect(planned).toBe(1); // the other club's
  await reinstateClub(deps(), id);
  expect(await isOffered()).toBe(true);
});

test('a club is added under one that somebody is editing', async () => {
  const parentId = await addClub(deps(), { name: 'Gum League', slug: 'gum-league' });
  const waiting = async () =>
    (
      await api.rows`select from pg_locks where locktype = 'advisory' and not granted and database = (
      select oid from pg_database where datname = current_database())`
    ).length;
  const acts = await api.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('sparechange.club links'))`; // both wait, in this order
    const adding = addClub(deps(), { name: 'Gum Cricket', slug: 'gum-cricket', parentId });
    await expect.poll(waiting).toBe(1);
    const editing = editClub(deps(), parentId, { suburb: 'Gum Flat' });
    await expect.poll(waiting).toBe(2);
    return [adding, editing];
  });
  await Promise.all(acts);
});

test('a club cannot be moved under one whose supporters the redirects send elsewhere', async () => {
  const league = await addClub(deps(), { name: 'Loop League', slug: 'loop-league' });
  const clubId = await addClub(deps(), { name: 'Loop Lions', slug: 'loop-lions' });
  const ofLeague = [{ parentClubId: league, tenant: 'loop-league' }];
  const move = (verify: Record<string, string>) =>
    editClub({ ...deps(), tenants: { redirects: () => ({ verify, confirmed: ofLeague, consented: {} }) } }, clubId, {
      parentId: league,
    });
  await expect(move({ [clubId]: 'lions' })).rejects.toThrow(
    'The redirects would send its supporters round in a loop: verify to lions, confirmed to loop-league.',
  );
  await move({ [clubId]: 'loop-league' });
});

test('programs of both the former and the new league of a club are notified', async () => {
  const [left, joined] = [
    await addClub(deps(), { name: 'North League', slug: 'north-league' }),
    await addClub(deps(), { name: 'South League', slug: 'south-league' }),
  ];
  const clubId = await addClub(deps(), { name: 'Border Bats', slug: 'border-bats', parentId: left });
  const endpointOf = async (league: string) => {
    const request = { url: `https://${league}.example/`, types: ['club.changed' as const], clubId: league };
    return (await addEndpoint(api, request, { kind: 'operating_system', id: 'alice' })).id;
  };
  const endpoints = [await endpointOf(left), await endpointOf(joined)];
  const told = async () => {
    const queued = await api.db<{ endpoint: string }[]>`
      delete from webhook_deliveries where event_id in (select id from webhook_events where club_id = ${clubId})
      returning endpoint_id as endpoint`;
    return endpoints.map((id) => queued.filter(({ endpoint }) => endpoint === id).length);
  };
  await editClub(deps(), clubId, { parentId: joined });
  expect(await told()).toEqual([1, 1]);
  await editClub(deps(), clubId, { suburb: 'Border' });
  expect(await told()).toEqual([0, 1]);
  const header = 'id,slug,name,parent_id,abn,bsb,account_number,account_name';
  const line = `${clubId},border-bats,Border Bats,${left},,,,`;
  await importClubs(api.db, testEncryption, `${header}\n${line}`, api.clock.now());
  expect(await told()).toEqual([1, 1]);
});

test('former link and contact are kept by the edit even if the database has no triggers for it', async () => {
  const id = await addClub(deps(), { name: 'Cape Crew', slug: 'cape-crew', contactEmail: 'a@cape.example' });
  await api.db.inControl().begin(async (tx) => {
    await tx.unsafe('drop trigger if exists clubs_keep_former_slug on clubs');
    await tx`update clubs set former_contact_email = null where id = ${id}`;
  });
  await editClub(deps(), id, { slug: 'cape', contactEmail: 'b@cape.example' });
  await editClub(deps(), id, { contactEmail: 'c@cape.example' });
  const kept = await api.db`
    select former_contact_email as contact, contact_changed_at is not null as "isDated",
      (select slug from club_slugs where club_id = clubs.id) as slug from clubs where id = ${id}`;
  expect([...kept]).toEqual([{ contact: 'a@cape.example', isDated: true, slug: 'cape-crew' }]);
});

test('a logo or picture that cannot be drawn is refused, and an existing one is not checked again', async () => {
  const tried: unknown[] = [];
  const checkDrawings: CheckDrawings = async ({ logo, picture }) => {
    tried.push(logo ?? picture);
    return [logo, picture].flatMap((name) => (name?.startsWith('spiral') ? [`${name}: it cannot be drawn`] : []));
  };
  const drawing = { ...deps(), checkDrawings };
  const facts = { name: 'Delta Dancers', slug: 'delta-dancers' };
  await expect(addClub(drawing, { ...facts, logo: 'spiral.svg' })).rejects.toThrow('spiral.svg: it cannot be drawn');
  const id = await addClub(drawing, { ...facts, logo: 'good.svg' });
  await expect(editClub(drawing, 'delta-dancers', { picture: 'spiral.svg' })).rejects.toThrow('it cannot be drawn');
  await editClub(drawing, id, { logo: 'good.svg', suburb: 'Delta' });
  expect(tried).toEqual(['spiral.svg', 'good.svg', 'spiral.svg', undefined]);
  expect(await api.db`select logo, picture, suburb from clubs where id = ${id}`).toEqual([
    { logo: 'good.svg', picture: null, suburb: 'Delta' },
  ]);
});

test('an import draws each logo and picture of its lines before it saves any', async () => {
  const header = 'id,slug,name,parent_id,abn,bsb,account_number,account_name,logo';
  const lines = [
    `${randomUUID()},echo-one,Echo One,,,,,,good.svg`,
    `${randomUUID()},echo-two,Echo Two,,,,,,spiral.svg`,
  ];
  const checkDrawings: CheckDrawings = async ({ logo }) =>
    logo === 'spiral.svg' ? [`${logo}: it cannot be drawn`] : [];
  await expect(
    importClubs(api.db, testEncryption, [header, ...lines].join('\n'), api.clock.now(), { checkDrawings }),
  ).rejects.toThrow('Nothing was imported:\nline 3: spiral.svg: it cannot be drawn');
  expect(await api.db`select from clubs where slug like 'echo-%'`).toHaveLength(0);
});
