import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { readWebhook, type WebhookRequest } from '@sparechange/client/webhooks';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { ops } from './ops.ts';

let server: Server;
let received: WebhookRequest[];
test.beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(200).end('thank you');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('an owner makes a key for a program, rotates its secret and revokes it', async ({ page, request }) => {
  await signInAs(page, 'owner');
  await page.getByRole('link', { name: 'Developers' }).click();
  await expect(heading(page, 'Developers')).toBeVisible();
  await expect(page.getByRole('link', { name: 'OpenAPI' })).toHaveAttribute('href', /\/api\/v1\/openapi\.json$/);
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Make a key' }).click();
  const making = page.getByRole('dialog', { name: 'Make an API key' });
  await making.getByRole('button', { name: 'Make the key' }).click();
  await expect(making.getByText('Please enter a name')).toBeVisible();
  await expect(making.getByText('Please choose what the key may do')).toBeVisible();
  const name = `League books ${Date.now()}`;
  await making.getByLabel('Name of the program').fill(name);
  await expect(making.getByText('Please enter a name')).toBeHidden();
  await expect(making.getByText('Please choose what the key may do')).toBeVisible();
  await making.getByLabel('read clubs').check();
  await expect(making.getByText('Please choose what the key may do')).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await making.getByRole('button', { name: 'Make the key' }).click();
  const key = (await making.getByLabel('The key').textContent()) ?? '';
  expect(key).toMatch(/^sparechange_/);
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(making.getByLabel('The key')).toHaveText(key); // nobody sees it again
  await making.getByRole('button', { name: 'Close' }).click();
  const reads = (secret: string) =>
    request.get('/api/v1/clubs', { headers: { authorization: `Bearer ${secret}` } }).then((answer) => answer.status());
  expect(await reads(key)).toBe(200);
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Valid');

  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Rotate its secret' }).click();
  const rotating = page.getByRole('dialog', { name: `Rotate the secret of ${name}` });
  await rotating.getByLabel('Overlap in hours').fill('0');
  await rotating.getByRole('button', { name: 'Rotate' }).click();
  const next = (await rotating.getByLabel('The key').textContent()) ?? '';
  await rotating.getByRole('button', { name: 'Close' }).click();
  expect([await reads(key), await reads(next)]).toEqual([401, 200]);

  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await expect(page.getByText('It cannot be brought back.')).toBeVisible();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Revoked');
  expect(await reads(next)).toBe(401);
});

test('a key that changes clubs waits for a second person', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.goto('/console/developers');
  const asked = { id: crypto.randomUUID(), expiresAt: '2026-12-01T00:00:00.000Z' };
  await page.route('**/developers/keys/create', (route) => route.fulfill({ json: { key: null, asked } })); // as with two people
  await page.getByRole('button', { name: 'Make a key' }).click();
  const making = page.getByRole('dialog', { name: 'Make an API key' });
  await making.getByLabel('Name of the program').fill('Pages');
  await making.getByLabel('change clubs’ pages').check();
  await making.getByRole('button', { name: 'Make the key' }).click();
  await expect(making.getByText('Nothing has changed yet: another person has to agree')).toBeVisible();
  await expectAccessible(page);
});

test('an owner adds an endpoint, tests and pauses it, and delivers an event again', async ({ page }) => {
  await signInAs(page, 'owner');
  await page.goto('/console/developers');
  await page.setViewportSize(desktop);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a webhook endpoint' });
  await adding.getByLabel('Address').fill(url);
  await adding.getByLabel('club.changed').check();
  await adding.getByRole('button', { name: 'Add the endpoint' }).click();
  const secret = (await adding.getByLabel('The signing secret').textContent()) ?? '';
  await adding.getByRole('button', { name: 'Close' }).click();

  const row = page.getByRole('region', { name: 'Webhook endpoints' }).getByRole('row').filter({ hasText: url });
  await row.getByRole('button', { name: url }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect(page.getByText(/Answered 200 after \d+ ms\. thank you/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Pause this endpoint?' })
    .getByRole('button', { name: 'Pause', exact: true })
    .click();
  await expect(row).toContainText('Paused');

  const { clubs } = await ops<{ clubs: { id: string }[] }>('clubs', 'list');
  await ops('clubs', 'edit', clubs[0]?.id ?? '', '--contact', `contact-${Date.now()}@example.com`);
  await expect(row).toContainText('1 waiting');
  await row.getByRole('button', { name: url }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  const clubChanged = () => received.filter((each) => readWebhook(each, secret)?.type === 'club.changed');
  await expect.poll(() => clubChanged().length, { timeout: 120_000 }).toBe(1);

  await page.getByLabel('Endpoint', { exact: true }).selectOption({ label: url });
  await expect(page).toHaveURL(/endpointId=/);
  const attempt = page.getByRole('region', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'club.changed' });
  await expect(attempt).toContainText('Delivered');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await attempt.getByRole('button', { name: 'club.changed' }).click();
  await page.getByRole('button', { name: 'Deliver again' }).click();
  await expect.poll(() => clubChanged().length, { timeout: 120_000 }).toBe(2);

  await row.getByRole('button', { name: url }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row).toBeHidden();
});
