import { afterAll, beforeAll, expect, test } from 'vitest';
import { endedClubId } from '#testing/app-under-test.ts';
import { aClub } from '#testing/makers.ts';
import { aWholeApp, type WholeApp } from '#testing/whole-app.ts';

let api: WholeApp;
beforeAll(async () => {
  api = await aWholeApp();
  await aClub(api.db, { slug: 'rovers', name: 'Rovers <& Friends>' });
  await aClub(api.db, { id: endedClubId, slug: 'winter-appeal', name: 'Winter Appeal' });
  for (const slug of ['surf', 'netball']) {
    const id = await aClub(api.db, { slug, name: slug });
    await api.rows`insert into club_figures (club_id, raised_cents, supporters) values (${id}, 1240055, 5)`;
  }
  await api.rows`update clubs set goal_dollars = 20000 where slug = 'netball'`;
});
afterAll(() => api.close());

const at = (url: string, host = 'sparechange.example') => api.app.inject({ url, headers: { host } });
const words = (html: string) =>
  html
    .replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('any site may frame the widget, which runs nothing, takes no input and loads its own picture alone', async () => {
  const { headers, body, statusCode } = await at('/widget/rovers');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=600']);
  expect(headers).not.toHaveProperty('x-frame-options');
  expect(String(headers['content-security-policy']).replace(/nonce-[^']+/, 'nonce-N')).toBe(
    "default-src 'none'; style-src 'nonce-N'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  expect(body).not.toMatch(/<script|<form|<input| on\w+=/i);
  expect(body).toContain('<a class="start" href="https://sparechange.example/rovers" target="_blank" rel="noopener">');
  expect(words(body)).toContain('Rovers &#60;&#38; Friends&#62;');
});

test('the sum raised is shown where the public page shows it, with the goal where there is one', async () => {
  expect(words((await at('/widget/rovers')).body)).not.toContain('$');
  expect(words((await at('/widget/surf')).body)).toContain('$12,400 raised by 5 supporters Start rounding up');
  const { body } = await at('/widget/netball');
  expect(body).toContain('<progress value="12400" max="20000"');
  expect(words(body)).toContain('of our goal of $20,000 Start');
});

test('a campaign that has ended offers no start, and a club that is not there is a 404', async () => {
  const ended = await at('/widget/winter-appeal', 'ended.sparechange.example');
  expect(words(ended.body)).toContain('This campaign has ended. Thank you!');
  expect(ended.body).not.toContain('class="start"');
  for (const slug of ['nobody', 'dashboard', 'a'.repeat(300)])
    expect([slug, (await at(`/widget/${slug}`)).statusCode]).toEqual([slug, 404]);
});

test('every other page still refuses frames', async () => {
  for (const url of ['/', '/rovers', '/widget', '/widget/rovers/more'])
    expect([url, (await at(url)).headers['x-frame-options']]).not.toEqual([url, undefined]);
});
