/// <reference lib="dom" />
import { widgetFrame } from '@sparechange/console/club/widget-frame.ts';
import { clubWidget } from '@sparechange/server/http/club-widget.ts';
import { loadTenants } from '@sparechange/server/tenants/load-tenants.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './as-supporter.ts';

for (const [path, file] of [
  ['/support', 'faq'],
  ['/terms', 'terms'],
  ['/privacy', 'privacy'],
] as const) {
  test(`our page framed on ${path} has its look and its size, and no browser warns of its sandbox`, async ({
    member,
  }) => {
    const warnings: string[] = [];
    member.on('console', (message) => /escape its sandboxing/.test(message.text()) && warnings.push(message.text()));
    await member.goto(path, { waitUntil: 'networkidle' });
    const heading = member.frameLocator('iframe').getByRole('heading', { level: 1 });
    await expect(heading).toBeVisible();
    expect(await heading.evaluate((element) => getComputedStyle(element).fontFamily)).toContain('Inter Variable');
    const frame = await member.locator('iframe').boundingBox();
    expect(frame?.height).toBeGreaterThan(500);
    expect(warnings).toEqual([]);
    await member.goto(`/pages/${file}.html`); // a frame without scripts cannot be asked by axe
    await expectAccessible(member);
  });
}

const clubNames = [
  'Bay Rovers',
  'Australian Cough and Asthma Alliance Inc', // the longest in large letters
  'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
  'Northern Rivers and Tweed Valley Community Sporting, Social, Recreation and Wellbeing Association of New South Wales Inc.',
];
const most = { raisedDollars: 999_999_999, supporters: 1_234_567, monthDollars: 1 };

test('a widget is whole in the frame of its line of HTML, in columns of every width', async ({ page }) => {
  const tenant = (await loadTenants('tenants')).list().find(({ key }) => key === 'default');
  if (!tenant) throw new Error('no default brand');
  const [site, address] = ['http://club.test/', 'http://brand.test/widget/rovers'];
  const shown = clubNames.flatMap((name) =>
    [null, most, { ...most, goalDollars: 999_999_999 }].flatMap((figures) =>
      [false, true].map((hasEnded) => ({ name, figures, hasEnded })),
    ),
  );
  for (const { name, figures, hasEnded } of shown) {
    const { html, policy } = clubWidget({ tenant, page: { name, figures } as never, hasEnded, address });
    await page.unrouteAll();
    await page.route(address, (route) =>
      route.fulfill({ body: html, contentType: 'text/html', headers: { 'content-security-policy': policy } }),
    );
    for (const column of [280, 320, 360, 600]) {
      const line = widgetFrame(address).replace(' loading="lazy"', '').replace('width="320"', `width="${column}"`);
      const body = `<!doctype html><div style="width:${column}px">${line}</div>`;
      await page.route(site, (route) => route.fulfill({ body, contentType: 'text/html' }));
      await page.goto(site);
      const frame = page.frame({ url: address });
      const cut = await frame?.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { wide: scrollWidth - innerWidth, high: scrollHeight - innerHeight };
      });
      expect.soft(cut, `${name}, ${figures?.raisedDollars}, ${column} px`).toEqual({ wide: 0, high: 0 });
    }
  }
});
