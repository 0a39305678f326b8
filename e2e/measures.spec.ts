/// <reference lib="dom" />
import { expect, test } from '@playwright/test';
import { aProduct, stopProduct } from './product.ts';

test('without a measurement id our own server collects screens and web vitals', async ({ page }) => {
  const collected: unknown[] = [];
  await page.exposeFunction('beaconSent', (text: string) => void collected.push(JSON.parse(text)));
  // The text of a beacon cannot be seen from outside the page.
  await page.addInitScript(`{
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      void body.text().then(beaconSent);
      return send(url, body);
    };
  }`);
  const answered = page.waitForResponse(/\/vitals$/);
  await page.goto('/extend-consent/mira%40example.com', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Register' }).click();
  await expect.poll(() => collected).toContainEqual({ name: 'page_view', path: '/extend-consent' });
  await expect.poll(() => collected).toContainEqual({ name: 'page_view', path: '/clubs' });
  const ttfb = { name: 'TTFB', value: expect.any(Number), rating: expect.any(String), path: expect.any(String) };
  await expect.poll(() => collected).toContainEqual(ttfb);
  expect(JSON.stringify(collected)).not.toContain('mira');
  expect((await answered).status()).toBe(204);
});

test('with a measurement id they go to Firebase Analytics, under our policy and without addresses', async ({
  page,
}) => {
  const { home, program } = await aProduct({
    FIREBASE_PROJECT_ID: 'a-project',
    FIREBASE_API_KEY: 'a-key',
    FIREBASE_AUTH_DOMAIN: 'a-project.firebaseapp.com',
    FIREBASE_APP_ID: '1:1:web:1',
    FIREBASE_MEASUREMENT_ID: 'G-MEASURED',
  });
  const asked: string[] = [];
  const refused: string[] = [];
  page.on('console', (message) => /content security policy/i.test(message.text()) && refused.push(message.text()));
  await page.route(/^https:/, (route) => {
    asked.push(route.request().url());
    const installed = { fid: 'an-id', refreshToken: 'a', authToken: { token: 'a', expiresIn: '604800s' } };
    const isScript = route.request().resourceType() === 'script';
    const known = { measurementId: 'G-MEASURED', appId: '1:1:web:1' };
    return route.fulfill(
      isScript ? { contentType: 'text/javascript', body: '' } : { json: { ...installed, ...known } },
    );
  });
  await page.goto(`${home}/extend-consent/mira%40example.com`);
  const dataLayer = () => page.evaluate<string>('JSON.stringify((window.dataLayer ?? []).map((entry) => [...entry]))');
  await expect.poll(dataLayer).toContain('"event","web_vital"');
  expect(await dataLayer()).toContain('"event","page_view"');
  expect(await dataLayer()).not.toContain('mira');
  expect(asked.join()).toContain('https://www.googletagmanager.com/gtag/js');
  expect(refused).toEqual([]);
  await stopProduct(program);
});
