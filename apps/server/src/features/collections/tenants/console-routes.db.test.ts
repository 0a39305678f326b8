import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as contract from '@sparechange/contract/console';
import { beforeAll, expect, test } from 'vitest';
import { importClubs } from '#features/beneficiaries/clubs/import-clubs.ts';
import { suspendTenant } from '#features/collections/debits/suspended-tenants.ts';
import { tenantsFolder as shipped } from '#runtime/make-parts.ts';
import { loadTenants } from '#tenants/load-tenants.ts';
import { takeUpFiles } from '#tenants/take-up-files.ts';
import { aPng } from '#testing/a-png.ts';
import { ownApp } from '#testing/app-under-test.ts';
import { anOperator, callConsole, type TestOperator } from '#testing/console.ts';
import { aClub, testEncryption } from '#testing/makers.ts';

const api = ownApp({ tenants: await loadTenants(shipped), edge: { rateLimitFactor: 0 } });
let owner: TestOperator;

beforeAll(async () => {
  const { db, clock } = api;
  await importClubs(db, testEncryption, await readFile(join(shipped, 'clubs.csv'), 'utf8'), clock.now());
  await takeUpFiles({ db, clock, folder: shipped });
  owner = await anOperator(db);
});

const call = <Op extends contract.ConsoleOperation>(operation: Op, input: object, person = owner) =>
  callConsole(api.app, operation, input, person);

const read = async (key: string) => (await call(contract.retrieveTenant, { key })).body;

test('brands are listed by display name, with their state, searched and paged', async () => {
  await suspendTenant({ ...api, actor: { kind: 'operating_system', id: 'robin' } }, 'aca', 'a dispute');
  const viewer = await anOperator(api.db, { roles: ['viewer'] });
  const { body } = await call(contract.listTenants, {}, viewer);
  expect(body.rows).toHaveLength(20);
  const names = body.rows.map(({ name }) => name);
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
  expect(names.at(-1)).toBe('Winter Appeal');
  expect(body.rows[0]).toMatchObject({ id: 'aca', state: 'halted', version: 1 });
  expect(body.rows.find(({ id }) => id === 'ended')).toMatchObject({ state: 'ended' });
  const { body: found } = await call(contract.listTenants, { search: 'LEAGUE', state: 'live' });
  expect(found.rows.map(({ id }) => id)).toEqual(['bush-league']);
  const { body: first } = await call(contract.listTenants, { limit: '2' });
  const { body: second } = await call(contract.listTenants, { limit: '2', after: String(first.next) });
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(body.rows.slice(0, 4).map(({ id }) => id));
});

test('listing brands to choose one is no export and is not audited as one', async () => {
  const { body } = await call(contract.listTenantNames, {});
  expect(body.tenants).toHaveLength(20);
  expect(body.tenants[0]).toEqual({ key: 'aca', name: expect.any(String) });
  expect(await api.db`select action from audit_log where action like 'console export%'`).toHaveLength(0);
});

test('a brand is read with its clubs by name, along with the redirects', async () => {
  expect(await read('bush-league')).toMatchObject({
    content: { tenant: 'bush_league' },
    version: 1,
    state: 'live',
    clubs: [{ name: 'Bush Football League' }],
  });
  expect((await read('redirects')).clubs.length).toBeGreaterThan(10);
  expect((await call(contract.retrieveTenant, { key: 'nobody' })).status).toBe(404);
});

test.each(['a\0', 'a\ud800'])('settings that no database holds are refused: %j', async (primary) => {
  const { content, version } = await read('demo');
  const wrong = { ...content, branding: { primary } };
  const { body } = await call(contract.checkTenant, { key: 'demo', content: wrong });
  expect(body.problems).toMatchObject([{ field: 'branding.primary' }]);
  expect((await call(contract.saveTenant, { key: 'demo', content: wrong, basedOn: version })).status).toBe(400);
});

test('a draft is checked at each of its settings, and a save refuses it with the same sentences', async () => {
  const { content, version } = await read('demo');
  const wrong = {
    ...content,
    theme: { ...(content.theme as object), background: '#787878' },
    logoURL: '/tenants/logos/gone.svg',
    abn: '51824753557',
  };
  const { body } = await call(contract.checkTenant, { key: 'demo', content: wrong });
  expect(body.problems).toEqual([
    { field: 'abn', sentence: '51824753557 is not an ABN, its check digits are wrong' },
    {
      field: 'theme.background',
      sentence: 'text on background is hard to read: its contrast is 4.42, at least 4.5 is needed',
    },
    {
      field: 'theme.background',
      sentence: 'text on background at night is hard to read: its contrast is 4.42, at least 4.5 is needed',
    },
    { field: 'logoURL', sentence: '/tenants/logos/gone.svg is missing' },
  ]);
  const refused = await call(contract.saveTenant, { key: 'demo', content: wrong, basedOn: version });
  expect(refused.status).toBe(400);
  expect(refused.body.error.message.split('\n')).toEqual(body.problems.map(({ sentence }) => `demo: ${sentence}`));
  const typed = await call(contract.checkTenant, { key: 'demo', content: { ...content, theme: { primary: '#12' } } });
  expect(typed.body.problems).toContainEqual({
    field: 'theme.primary',
    sentence: 'Please use a colour such as #1a2b3c',
  });
  const shared = { key: 'another', content };
  expect((await call(contract.checkTenant, shared)).body.problems[0]).toMatchObject({ field: 'apikey' });
});

test('a brand without a name is refused while it is typed, and when it is saved', async () => {
  const { content, version } = await read('demo');
  for (const name of ['', '  ']) {
    const nameless = { key: 'demo', content: { ...content, name } };
    const problems = [{ field: 'name', sentence: 'Please enter a name' }];
    expect((await call(contract.checkTenant, nameless)).body.problems).toEqual(problems);
    expect((await call(contract.saveTenant, { ...nameless, basedOn: version })).status).toBe(400);
  }
});

test('a draft of the redirects is checked for unknown tenants and for loops, without a preview', async () => {
  const { content, version } = await read('redirects');
  const check = async (draft: object) => (await call(contract.checkTenant, { key: 'redirects', content: draft })).body;
  expect(await check(content)).toMatchObject({ problems: [], previewId: null });
  const verify = content.verify as Record<string, string>;
  const [clubId = ''] = Object.entries(verify).find(([, tenant]) => tenant === 'aca') ?? [];
  const wrong = { ...content, verify: { ...verify, [clubId]: 'demo' }, consented: { [clubId]: 'nowhere' } };
  const { problems, previewId } = await check(wrong);
  expect(previewId).toBeNull();
  expect(problems.map(({ sentence }) => sentence)).toEqual([
    'redirects.json consented: there is no tenant nowhere',
    `redirects.json sends supporters of ${clubId} round in a loop: verify to demo, confirmed to aca, consented to nowhere`,
  ]);
  const refused = await call(contract.saveTenant, { key: 'redirects', content: wrong, basedOn: version });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    problems.map(({ sentence }) => sentence).join('\n'),
  ]);
});

test('a draft gets advice on possible mistakes, about itself alone', async () => {
  const club = await aClub(api.db);
  const { content } = await read('demo');
  const advice = async (changed: object) =>
    (await call(contract.checkTenant, { key: 'demo', content: { ...content, ...changed } })).body.advice;
  expect(await advice({})).toEqual([]);
  await api.rows`update clubs set abn = '22803635522', dgr_since = '2020-01-01' where id = ${club}`;
  expect(await advice({ clubID: club, minimumDebitCents: 100 })).toEqual([
    'demo: gifts are deductible, but only from $2.00; the smallest debit (minimumDebitCents) is 100, 200 is advised',
  ]);
  expect(await advice({ clubID: club, minimumDebitCents: 200 })).toEqual([]);
  expect(await advice({ clubID: club, theme: { primary: '#12' } })).toEqual([]);
  await api.rows`update clubs set dgr_since = null where id = ${club}`;
});

test('a save is a version by its author, unless somebody else has saved another one since; it can be restored', async () => {
  const { content } = await read('demo');
  const save = (name: string, basedOn: number) =>
    call(contract.saveTenant, { key: 'demo', content: { ...content, name }, basedOn });
  expect((await save('Demonstration', 1)).body).toEqual({ version: 2, changed: ['name'] });
  expect(await save('Show', 1)).toMatchObject({ status: 409 });
  expect(await call(contract.restoreTenant, { key: 'demo', version: 1, basedOn: 1 })).toMatchObject({ status: 409 });
  const restored = await call(contract.restoreTenant, { key: 'demo', version: 1, basedOn: 2 });
  expect(restored.body).toEqual({ version: 3, changed: ['name'] });
  const { body } = await call(contract.listTenantVersions, { key: 'demo' });
  expect(body.versions).toMatchObject([
    { version: 3, origin: 'restore', savedBy: 'Pat Person' },
    { version: 2, origin: 'edit', changes: [{ setting: 'name', before: content.name, after: 'Demonstration' }] },
    { version: 1, origin: 'file', savedBy: null, changes: [] },
  ]);
});

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 48">${inside}</svg>`;
/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const upload = async (place: contract.PicturePlace, content: string | Buffer) => {
  const input = { key: 'demo', place, content: Buffer.from(content).toString('base64') };
  return (await call(contract.uploadTenantPicture, input)).body;
};

test('a logo is uploaded, named by its content, and used by a brand', async () => {
  const { value } = await upload('logoURL', svg('<rect width="9"/>'));
  expect(value).toMatch(/^\/tenants\/logos\/demo-[0-9a-f]{12}\.svg$/);
  expect(await upload('logoURL', svg('<rect width="9"/>'))).toEqual({ value });
  const { content, version } = await read('demo');
  const draft = { key: 'demo', content: { ...content, logoURL: value } };
  expect((await call(contract.checkTenant, draft)).body.problems).toEqual([]);
  expect((await call(contract.saveTenant, { ...draft, basedOn: version })).status).toBe(200);
  expect((await upload('picture', png)).value).toMatch(/^demo-[0-9a-f]{12}\.png$/);
});

test.each([
  ['a script', svg('<script>alert(1)</script>'), '<script> is not allowed'],
  ['another document', svg('<use href="https://elsewhere.example/a.svg#b"/>'), 'href refers to https://elsewhere'],
  ['a picture inside', svg('<image href="data:image/svg+xml;base64,AA"/>'), '<image> is not allowed'],
  ['shapes without end', svg('<g id="a"><use href="#a"/></g>'), 'references repeat more than may be drawn'],
  ['a PNG', png, 'not a plain SVG'],
  ['no picture', 'PK', 'This file is not an SVG, PNG or JPEG.'],
])('a logo with %s is refused with an explanation', async (_what, content, sentence) => {
  expect((await upload('logoURL', content)).error.message).toContain(sentence);
});

test('a picture has bounds', async () => {
  const wide = Buffer.from(png);
  wide.writeUInt32BE(5_000, 16);
  expect((await upload('picture', wide)).error.message).toContain('5000 × 1 pixels, more than 4096 × 4096');
  const heavy = Buffer.concat([png, Buffer.alloc(300_000)]);
  expect((await upload('picture', heavy)).error.message).toContain('300070 bytes, more than 300000');
  expect((await upload('picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4]))).error.message).toContain(
    'is not an SVG',
  );
});

test('a truncated picture is neither uploaded nor used', async () => {
  const cut = aPng().subarray(0, -30);
  expect((await upload('picture', cut)).error.message).toBe('This file cannot be used: it cannot be drawn.');
  const { value } = await upload('picture', aPng(7));
  await api.db`update tenant_pictures set content = ${cut} where name = ${value}`;
  const { content, version } = await read('demo');
  const draft = { key: 'demo', content: { ...content, picture: value }, basedOn: version };
  expect((await call(contract.saveTenant, draft)).body.error.message).toBe(
    `demo: /tenants/pictures/${value}: it cannot be drawn`,
  );
});

test('an unused picture uploaded long ago is dropped with the next upload', async () => {
  const unused = await upload('logoURL', svg('<rect width="8"/>'));
  await api.db`update tenant_pictures set uploaded_at = now() - interval '8 days'`;
  await upload('logoURL', svg('<rect width="7"/>'));
  const names = (await api.db<{ name: string }[]>`select name from tenant_pictures`).map(({ name }) => name);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(unused.value.split('/').at(-1));
});

test('a picture uploaded long ago and again today is kept', async () => {
  const again = await upload('logoURL', svg('<rect width="9"/>'));
  await api.db`update tenant_pictures set uploaded_at = now() - interval '8 days'`;
  await upload('logoURL', svg('<rect width="9"/>'));
  await upload('logoURL', svg('<rect width="10"/>'));
  const names = (await api.db<{ name: string }[]>`select name from tenant_pictures`).map(({ name }) => name);
  expect(names).toContain(again.value.split('/').at(-1));
});
