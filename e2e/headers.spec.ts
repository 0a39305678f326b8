import { expect, type Page, test } from '@playwright/test';
import { logIn } from './as-supporter.ts';
import { demo } from './product.ts';

/** Everything the browser refused because of our headers. */
async function refusedBy(page: Page): Promise<string[]> {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|trusted ?type|cross-origin|x-frame-options|permissions.policy/i.test(message.text())) {
      refused.push(message.text());
    }
  });
  await page.exposeFunction('refusedByPolicy', (what: string) => void refused.push(what));
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    refusedByPolicy([event.violatedDirective, event.blockedURI, event.sample, event.sourceFile, event.lineNumber, document.location.pathname].join(' ')))`);
  return refused;
}

test('every screen runs under the strict policy, and embedded pages are shown', async ({ page }) => {
  const refused = await refusedBy(page);
  await page.goto('/');
  await logIn(page, demo);
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText('Donated This Year')).toBeVisible();
  for (const path of [
    '/linked-accounts',
    '/history',
    '/clubs',
    '/register2',
    '/verify',
    '/extend-consent/robin@example.com',
  ]) {
    await page.goto(path);
    await expect(page.locator('#root')).not.toBeEmpty();
    await page.waitForLoadState('networkidle');
  }
  for (const [path, words] of [
    ['/support', /./],
    ['/terms', /./],
  ] as const) {
    await page.goto(path);
    await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText(words);
  }
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: 'getUser' })).toBeVisible();
  expect(await page.evaluate(`getComputedStyle(document.querySelector('main')).maxWidth`)).toBe('960px');
  expect(refused).toEqual([]);
});

test('an injected script does not run and no other site may frame a page', async ({ page, baseURL }) => {
  const refused = await refusedBy(page);
  await page.goto('/');
  const inject = page.evaluate(`{
    const part = document.createElement('div');
    part.setAttribute('onclick', 'document.title = "run"');
    part.click();
  }`);
  await expect(inject).rejects.toThrow(/requires 'TrustedScript'/);
  expect(await page.title()).not.toBe('run');
  expect(refused.join()).toContain('require-trusted-types-for');
  const port = new URL(baseURL ?? '').port;
  await page.route('http://elsewhere.localhost/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="http://localhost:${port}/"></iframe>` }),
  );
  await page.goto('http://elsewhere.localhost/');
  await expect(page.frameLocator('iframe').locator('#root')).toHaveCount(0);
});
