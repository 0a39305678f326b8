import { downloadPoster, retrieveClubLink } from '@sparechange/contract/console';
import { cents } from '@sparechange/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escapeHtml } from '#html.ts';
import { endedClubId } from '#testing/app-under-test.ts';
import { anOperator, callConsole } from '#testing/console.ts';
import { aClub } from '#testing/makers.ts';
import { aWholeApp, type WholeApp } from '#testing/whole-app.ts';

let api: WholeApp;
let id: string;
beforeAll(async () => {
  api = await aWholeApp();
  id = await aClub(api.db, { slug: 'rovers', name: 'Rovers & Friends' });
  await api.rows`update clubs set about = 'By the "river" since 1962.', contact_email = 'pat@rovers.example' where id = ${id}`;
  await aClub(api.db, { id: endedClubId, slug: 'winter-appeal', name: 'Winter Appeal' });
});
afterAll(() => api.close());

const at = (url: string, host = 'sparechange.example') => api.app.inject({ url, headers: { host } });
const lines = async (url: string, host?: string) => (await at(url, host)).body;

test('a shared link of a club shows its name, its paragraph and its picture, from its one address', async () => {
  for (const host of ['sparechange.example', 'riverside-rovers.sparechange.example']) {
    const head = await lines('/rovers', host);
    expect(head).toContain('<meta name="description" content="By the &#34;river&#34; since 1962.">');
    expect(head).toContain('<link rel="canonical" href="https://sparechange.example/rovers">');
    expect(head).toMatch(/<meta property="og:title" content="Rovers &#38; Friends · [^"]+">/);
    const [, picture = ''] = /property="og:image" content="https:\/\/[^/]+(\/share\/[^"]+)"/.exec(head) ?? [];
    expect(picture).toMatch(/^\/share\/(default|riverside-rovers)\/club-rovers\.png\?v=[0-9a-f]{8}$/);
    const drawn = await at(picture, host);
    expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/png']);
    expect(drawn.headers['cache-control']).toBe('public, max-age=60');
    expect([drawn.rawPayload.readUInt32BE(16), drawn.rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
  }
});

test('a treasurer sees the words and the picture that the shared link shows', async () => {
  const treasurer = await anOperator(api.db, { roles: ['treasurer'], clubIds: [id] });
  const { title, description } = (await callConsole(api.app, retrieveClubLink, { clubId: id }, treasurer)).body;
  const head = await lines('/rovers');
  expect(head).toContain(`property="og:title" content="${escapeHtml(title)}"`);
  expect(head).toContain(`property="og:description" content="${escapeHtml(description)}"`);
  const [, picture = ''] = /property="og:image" content="https:\/\/[^/]+(\/share\/[^"]+)"/.exec(head) ?? [];
  const { body } = await callConsole(api.app, downloadPoster, { clubId: id, format: 'shared' }, treasurer);
  expect((await at(picture)).rawPayload.equals(Buffer.from(body.content, 'base64'))).toBe(true);
});

test.each([
  ['sparechange.example', 'the club you choose'],
  ['ended.sparechange.example', 'ended'],
])('a search finds who %s gives the spare change to: %s', async (host, receiver) => {
  expect(await lines('/', host)).toContain(
    `content="Round up what you buy anyway, and give the spare change to ${receiver}."`,
  );
});

test('nothing of a club but its page is in the document', async () => {
  expect(await lines('/rovers')).not.toContain('pat@rovers.example');
});

describe('search engines', () => {
  test.each([
    ['/', true],
    ['/rovers', true],
    ['/clubs', true],
    ['/dashboard', false],
    ['/nobody', false],
    ['/no/such/page', false],
    ['/winter-appeal', false], // its campaign has ended
    ['/extend-consent/pat%40example.com', false],
  ])('may keep %s: %s', async (url, mayKeep) => {
    expect((await lines(url)).includes('<meta name="robots" content="noindex">')).toBe(!mayKeep);
  });

  test.each(['/', '/rovers', '/clubs', '/support', '/terms', '/privacy'])('read what %s is about', async (url) => {
    expect((await lines(url)).match(/<meta name="description" content="[^"]{20,180}">/g)).toHaveLength(1);
  });

  test('find the public pages of a host', async () => {
    const robots = await at('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(robots.body).toBe('User-agent: *\nDisallow: /api/\nSitemap: https://sparechange.example/sitemap.xml\n');
    const map = await at('/sitemap.xml');
    expect(map.headers['content-type']).toContain('xml');
    expect(map.body).toContain('<loc>https://sparechange.example/</loc>');
    expect(map.body).toContain('<loc>https://sparechange.example/rovers</loc>');
    expect(map.body).not.toContain('winter-appeal');
  });
});

test.each([
  ['/clubs', ['Rovers & Friends']],
  ['/register', ['Rovers & Friends']],
  ['/', undefined],
])('the document of %s lists the clubs to choose from: %j', async (url, names) => {
  const [, text = ''] = /id="start">(.*)<\/script>/.exec(await lines(url)) ?? [];
  const { clubs } = JSON.parse(text) as { clubs?: { name: string }[] };
  expect(clubs?.map(({ name }) => name)).toEqual(names);
});

test.each([
  '/share/nobody/brand.png',
  '/share/default/club-nobody.png',
  '/share/default/club-..%2f..%2fsecrets.png',
  '/share/default/icon-9999.png',
  '/share/default/brand.svg',
  '/share/default/club-rovers.png?given=100',
  '/share/default/club-rovers.png?given=100&given=200&proof=x',
  '/share',
])('there is no picture at %s', async (url) => {
  expect((await at(url)).statusCode).toBe(404);
});

test('a picture with an amount is drawn where we signed it, and for its club and amount alone', async () => {
  const path = api.givenPictures.path({ key: 'default' }, { id, slug: 'rovers' }, cents(12_847));
  const [plain, drawn] = await Promise.all([at('/share/default/club-rovers.png'), at(path)]);
  expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/png']);
  expect(drawn.headers['cache-control']).toBe('private, max-age=60');
  expect(drawn.rawPayload.equals(plain.rawPayload)).toBe(false);
  for (const wrong of [path.replace('12847', '12848'), path.replace(/.$/, ''), path.replace('club-rovers', 'brand')])
    expect((await at(wrong)).statusCode, wrong).toBe(404);
});
