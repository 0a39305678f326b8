import {
  addClub,
  listBrandFigures,
  listClubs,
  reinstateClub,
  retireClub,
  retrieveClub,
  retrieveClubChoices,
  saveClub,
  setClubContact,
} from '@sparechange/contract/console';
import { addDays, monthStart } from '@sparechange/domain';
import { beforeAll, expect, test } from 'vitest';
import { today } from '#ports/clock.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, aTenant, someTenants } from '#testing/makers.ts';

const parentId = 'b0b0b0b0-0000-4000-8000-000000000001';
const ownBrandId = 'b0b0b0b0-0000-4000-8000-000000000002';
const tenants = someTenants(
  aTenant(),
  aTenant({ key: 'bay-league', name: 'Bay League', parentClubId: parentId }),
  aTenant({ key: 'bay-surf', name: 'Bay Surf', clubID: ownBrandId }),
);
const api = ownApp({ tenants });
let owner: TestOperator;
beforeAll(async () => {
  owner = await anOperator(api.db);
  await aClub(api.db, { id: parentId, name: 'Bay League', slug: 'bay-league-clubs' });
});

const list = async (filter: object) => (await callConsole(api.app, listClubs, filter, owner)).body;
const namesOf = async (filter: object) => (await list(filter)).rows.map(({ name }) => name);
const form = {
  name: 'Bay Divers',
  slug: 'bay-divers',
  parentId,
  abn: '51 824 753 556',
  contactEmail: 'sam@divers.example',
  about: 'We dive.',
  suburb: 'Bay View',
  sport: 'Diving',
  goalDollars: '5000',
  logo: '',
  picture: 'surf.svg',
};

test('a club is added by its form, shown, edited, retired and taken back', async () => {
  const { body: added } = await callConsole(api.app, addClub, form, owner);
  const { body: shown } = await callConsole(api.app, retrieveClub, { clubId: added.id }, owner);
  const { parentId: _parentId, ...facts } = form;
  expect(shown).toMatchObject({
    ...facts,
    abn: '51824753556',
    goalDollars: 5000,
    logo: null,
    tenant: 'Bay League',
    account: null,
  });
  expect(shown.parent).toEqual({ id: parentId, name: 'Bay League' });

  const edited = {
    ...form,
    clubId: added.id,
    slug: 'divers',
    about: '',
    parentId: '',
    contactEmail: 'kim@divers.example',
    seen: {},
  };
  expect((await callConsole(api.app, saveClub, edited, owner)).status).toBe(200);
  const { body: after } = await callConsole(api.app, retrieveClub, { clubId: added.id }, owner);
  expect(after).toMatchObject({
    slug: 'divers',
    about: null,
    parent: null,
    suburb: 'Bay View',
    contactEmail: 'kim@divers.example',
  });

  const retire = (from: string) => callConsole(api.app, retireClub, { clubId: added.id, from }, owner);
  expect((await retire('2020-01-01')).body.error.message).toBe('Wed 1 Jan 2020 is past.');
  await retire(shown.today);
  expect(await namesOf({ state: 'ended' })).toEqual(['Bay Divers']);
  expect(await namesOf({ state: 'active' })).not.toContain('Bay Divers');
  expect((await callConsole(api.app, reinstateClub, { clubId: added.id }, owner)).status).toBe(200);
  expect(await namesOf({ state: 'ended' })).toEqual([]);
});

test('a club of a league with a brand of its own is listed with that brand alone', async () => {
  await aClub(api.db, { id: ownBrandId, name: 'Bay Surf', slug: 'bay-surf', parentId });
  const { rows } = (await callConsole(api.app, listBrandFigures, {}, owner)).body;
  for (const { id, name, clubs } of rows) {
    const listed = (await list({ tenant: id })).rows;
    expect([id, listed.length]).toEqual([id, clubs]);
    expect(listed.filter(({ tenant }) => tenant !== name)).toEqual([]);
  }
  expect(await namesOf({ tenant: 'bay-surf' })).toEqual(['Bay Surf']);
});

test('a new club has its contact from the start, so that a change of it within 30 days asks the first', async () => {
  const { body } = await callConsole(api.app, addClub, { ...form, slug: 'first-contact' }, owner);
  await callConsole(api.app, saveClub, { clubId: body.id, contactEmail: 'thief@example.com', seen: {} }, owner);
  const [club] = await api.db`select former_contact_email as former from clubs where id = ${body.id}`;
  expect(club).toEqual({ former: 'sam@divers.example' });
});

test("somebody else's recent change is not overwritten and does not block other fields", async () => {
  const { id: clubId } = (await callConsole(api.app, addClub, { ...form, slug: 'two-editors' }, owner)).body;
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [clubId] });
  const contact = { clubId, contactEmail: 'kim@divers.example' };
  expect((await callConsole(api.app, setClubContact, contact, treasurer)).status).toBe(200);
  const save = async (changes: object) => (await callConsole(api.app, saveClub, { clubId, ...changes }, owner)).body;
  await save({ about: 'We dive daily.', goalDollars: '6000', seen: { about: 'We dive.', goalDollars: '5000' } });
  const shown = async () => (await callConsole(api.app, retrieveClub, { clubId }, owner)).body;
  expect(await shown()).toMatchObject({ about: 'We dive daily.', contactEmail: 'kim@divers.example' });
  const again = await save({ contactEmail: 'ann@divers.example', seen: { contactEmail: 'sam@divers.example' } });
  expect(again.error).toMatchObject({
    code: 'changed-meanwhile',
    message: 'Somebody else has changed the contact to "kim@divers.example". Saving again replaces that.',
    fields: { contactEmail: 'kim@divers.example' },
  });
  await save({
    contactEmail: 'ann@divers.example',
    suburb: '',
    seen: { contactEmail: 'kim@divers.example', suburb: 'Bay View' },
  });
  expect(await shown()).toMatchObject({ contactEmail: 'ann@divers.example', suburb: null, goalDollars: 6000 });
});

test("a change sent again, for instance after a lost answer, is not mistaken for somebody else's", async () => {
  const { id: clubId } = (await callConsole(api.app, addClub, { ...form, slug: 'lost-answer' }, owner)).body;
  const changes = { abn: '', goalDollars: '6000', logo: '', suburb: 'Bay Town' };
  const seen = { abn: '51824753556', goalDollars: form.goalDollars, logo: form.logo, suburb: form.suburb };
  for (const time of ['first', 'again']) {
    const { status } = await callConsole(api.app, saveClub, { clubId, ...changes, seen }, owner);
    expect([time, status]).toEqual([time, 200]);
  }
});

test('clubs are found by name, suburb, brand and bank details, page by page', async () => {
  await callConsole(api.app, addClub, { ...form, slug: 'found-by-suburb' }, owner);
  for (const name of ['Ant Shed', 'Bee Shed', 'Cow Shed'])
    await aClub(api.db, { name, parentId: name < 'C' ? parentId : null });
  const first = await list({ search: 'shed', limit: '2' });
  expect(first.rows.map(({ name }) => name)).toEqual(['Ant Shed', 'Bee Shed']);
  const second = await list({ search: 'shed', limit: '2', after: first.next ?? '' });
  expect(second).toMatchObject({ rows: [{ name: 'Cow Shed', tenant: aTenant().name }], next: null });
  expect(await namesOf({ search: 'shed', tenant: 'bay-league' })).toEqual(['Ant Shed', 'Bee Shed']);
  expect(await namesOf({ search: 'shed', tenant: 'default' })).toEqual(['Cow Shed']);
  expect(await namesOf({ search: 'bay view' })).toContain('Bay Divers');
  expect(await namesOf({ state: 'without_account', search: 'ant' })).toEqual(['Ant Shed']);
  expect(await namesOf({ state: 'account_changing' })).toEqual([]);
});

test('an owner sees supporter counts and collected amounts, by club and by brand', async () => {
  const under = await aClub(api.db, { name: 'Small Shed', parentId });
  await api.db`insert into club_supporters (club_id, supporters) values (${under}, 2), (${parentId}, 3)`;
  for (const [day, amount] of [
    [addDays(monthStart(today(api.clock)), -1), 500],
    [today(api.clock), 70],
  ] as const)
    await api.db`insert into club_entries (club_id, kind, source, account, cents, booked_on)
      select ${under}, 'collected', ${day}, leg.account, leg.cents, ${day}
      from unnest(${['collected', 'payable']}::club_account[], ${[amount, -amount]}::bigint[]) as leg (account, cents)`;
  expect((await list({ search: 'small shed' })).rows).toMatchObject([
    { supporters: 2, monthCents: 70, collectedCents: 570 },
  ]);
  const { body } = await callConsole(api.app, listBrandFigures, {}, owner);
  expect(body.rows.find(({ id }) => id === 'bay-league')).toMatchObject({
    name: 'Bay League',
    supporters: 5,
    monthCents: 70,
    collectedCents: 570,
  });
  expect((await callConsole(api.app, retrieveClub, { clubId: parentId }, owner)).body.supporters).toBe(5);
});

test('clubs are sorted over all pages by name and by what they raised, of equal sums by name', async () => {
  for (const [name, cents] of [
    ['Ant Yard', 0],
    ['Bee Yard', 900],
    ['Cow Yard', 0],
    ['Dog Yard', 70_000],
  ] as const) {
    const id = await aClub(api.db, { name });
    if (cents) await api.db`insert into club_balances (club_id, account, cents) values (${id}, 'collected', ${cents})`;
  }
  const sorted = async (sort?: string) => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const { rows, next } = await list({ search: 'yard', limit: '1', ...(sort && { sort }), ...(after && { after }) });
      names.push(...rows.map(({ name }) => name));
      after = next ?? undefined;
    } while (after);
    return names.map((name) => name.slice(0, 3)).join(' ');
  };
  expect(await sorted()).toBe('Ant Bee Cow Dog');
  expect(await sorted('-name')).toBe('Dog Cow Bee Ant');
  expect(await sorted('raised')).toBe('Ant Cow Bee Dog');
  expect(await sorted('-raised')).toBe('Dog Bee Ant Cow');
});

test('clubs with supporters are found: their own, of clubs under them, and for a viewer those whose number is shown', async () => {
  const league = await aClub(api.db, { name: 'Reef League' });
  const few = await aClub(api.db, { name: 'Reef Few', parentId: league });
  const many = await aClub(api.db, { name: 'Reef Many' });
  await aClub(api.db, { name: 'Reef Nobody' });
  await api.db`insert into club_supporters (club_id, supporters) values (${few}, 2), (${many}, 5)`;
  await api.db`insert into club_figures (club_id, raised_cents, supporters) values (${many}, 900, 5)`;
  const found = { search: 'reef', supporters: 'some' };
  expect(await namesOf(found)).toEqual(['Reef Few', 'Reef League', 'Reef Many']);
  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  const { body } = await callConsole(api.app, listClubs, found, viewer);
  expect(body.rows.map(({ name, supporters }) => [name, supporters])).toEqual([['Reef Many', 5]]);
});

test('a viewer sees figures, but neither persons nor a count of fewer than five', async () => {
  const contactEmail = 'kim@shed.example';
  const { id: clubId } = (await callConsole(api.app, addClub, { ...form, slug: 'few-supporters', contactEmail }, owner))
    .body;
  await api.db`insert into club_supporters (club_id, supporters) values (${clubId}, 4)`;
  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  const { body: shown } = await callConsole(api.app, retrieveClub, { clubId }, viewer);
  expect(shown).toMatchObject({ name: form.name, contactEmail: null, account: null, supporters: null });
  const found = async (search: string, caller: TestOperator) =>
    (await callConsole(api.app, listClubs, { search }, caller)).body.rows.map(({ slug, supporters }) => [
      slug,
      supporters,
    ]);
  expect(await found(contactEmail, owner)).toEqual([['few-supporters', 4]]);
  expect(await found(contactEmail, viewer)).toEqual([]);
  expect(await found('few-supporters', viewer)).toEqual([['few-supporters', null]]);
  const brands = async (caller: TestOperator) =>
    (await callConsole(api.app, listBrandFigures, {}, caller)).body.rows.find(({ id }) => id === 'bay-league')
      ?.supporters;
  expect(await brands(viewer)).toBeNull();
  await api.db`update club_supporters set supporters = 6 where club_id = ${clubId}`;
  expect(await brands(viewer)).toBe(6);
});

test('invalid form input is refused at its field, or in a sentence', async () => {
  const refusal = async (changes: object) =>
    (await callConsole(api.app, addClub, { ...form, ...changes }, owner)).body.error;
  const wrong = {
    name: '',
    slug: 'Bay!',
    abn: '11 111 111 111',
    contactEmail: 'nobody',
    goalDollars: '1.5',
    logo: '../x.svg',
  };
  expect(Object.keys((await refusal(wrong)).fields ?? {}).sort()).toEqual(Object.keys(wrong).sort());
  expect((await refusal({ slug: 'bay-league-clubs' })).message).toBe('bay-league-clubs leads to another club, or did.');
  const { body } = await callConsole(api.app, addClub, { ...form, slug: 'under-league' }, owner);
  expect((await refusal({ slug: 'under-under', parentId: body.id })).message).toContain('has none itself');
  const above = { ...form, seen: {}, slug: 'bay-league-clubs', clubId: parentId, parentId: await aClub(api.db) };
  expect((await callConsole(api.app, saveClub, above, owner)).body.error.message).toBe(
    'A club that others are under has no parent.',
  );
  await api.db`update clubs set dgr_since = '2020-01-01' where id = ${body.id}`;
  const withoutAbn = { ...form, seen: {}, slug: 'under-league', clubId: body.id, abn: '' };
  expect((await callConsole(api.app, saveClub, withoutAbn, owner)).body.error.message).toContain('has an ABN');
});

test('the form offers the existing brands, parents, logos and pictures', async () => {
  const { body } = await callConsole(api.app, retrieveClubChoices, {}, owner);
  expect(body.tenants).toContainEqual({ key: 'bay-league', name: 'Bay League', parentId });
  expect(body.parents[0]).toEqual({ id: parentId, name: 'Bay League' });
  expect([body.logos.includes('default.svg'), body.pictures.includes('surf.svg')]).toEqual([true, true]);
  expect(body.hasMoreParents).toBe(false);
});

test('a parent that is not among the first five hundred is found by its name', async () => {
  const id = await aClub(api.db, { name: 'Zephyr League' });
  await api.db`
    insert into clubs (id, name, slug) select gen_random_uuid(), 'Early ' || number, 'early-' || number
    from generate_series(1, 500) number`;
  const choices = async (search?: string) =>
    (await callConsole(api.app, retrieveClubChoices, search ? { search } : {}, owner)).body;
  const { parents, hasMoreParents } = await choices();
  expect([parents.length, hasMoreParents, parents.some((parent) => parent.id === id)]).toEqual([500, true, false]);
  expect(await choices('zephyr')).toMatchObject({ parents: [{ id, name: 'Zephyr League' }], hasMoreParents: false });
});

test('a logo that cannot be drawn is refused when it is saved', async () => {
  const logo = 'bay-0123456789ab.svg';
  const content = Buffer.from('<svg viewBox="0 0 96 96"><title>without its namespace</title></svg>');
  await api.db`insert into tenant_pictures (name, content, uploaded_by) values (${logo}, ${content}, ${owner.id})`;
  const drawn = await callConsole(api.app, addClub, { ...form, slug: 'bay-drawers', logo }, owner);
  expect([drawn.status, drawn.body.error.message]).toEqual([400, `/tenants/logos/${logo}: it cannot be drawn`]);
});
