/// <reference lib="dom" />
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
