import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { logIn, signIn } from './as-supporter.ts';
import { heading, stored } from './at-the-bank.ts';
import { aProduct, stopProduct } from './product.ts';
import { loggedWords } from './specified-copy.ts';
import { aSupporter, tenantHome, tenantSettings } from './supporter.ts';

const clubOf = (key: string) => tenantSettings(key).clubID ?? '';
const supports = (key: string) => aSupporter({ clubId: clubOf(key), upTo: 'connected' });

async function register(page: Page, email: string): Promise<void> {
  for (const [label, value] of Object.entries({
    'First Name': 'Tess',
    'Last Name': 'Moran',
    Email: email,
    'Mobile Number': '0412345678',
    Password: 'correct horse battery',
    'Confirm Password': 'correct horse battery',
  })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole('checkbox', { name: 'I agree' }).check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(heading(page, 'Welcome')).toBeVisible();
}

test('a tenant registers for its own club, under its own name and key, with the referrer', async ({ page }) => {
  const home = tenantHome('harbour-hounds');
  await page.goto(`${home}/?efg=1&u=partner-7`);
  await expect(page).toHaveTitle(/Harbour Hounds/);
  await expect.poll(() => stored(page)).toMatchObject({ host: 'harbour-hounds', referrer: 'efg:partner-7' });
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(page.getByText(/^Supporting: /)).toBeVisible();
  const sent = page.waitForRequest(/\/user\/register$/);
  await register(page, `tess.${Date.now()}@example.com`);
  const request = await sent;
  expect(request.postDataJSON()).toMatchObject({
    tenantA: 'harbour-hounds',
    supportingClubId: clubOf('harbour-hounds'),
    referrer: 'efg:partner-7',
  });
  expect(request.headers()).toMatchObject({
    tenant: 'harbour_hounds',
    apikey: tenantSettings('harbour-hounds').apikey,
  });
  const kept = await stored(page);
  expect(Object.keys(kept)).toEqual(expect.arrayContaining(['userId', 'cdrid', 'clubId', 'host', 'referrer']));
  expect(kept.clubId).toBe(clubOf('harbour-hounds'));
});

test('a tenant under a parent offers the clubs of that parent', async ({ page }) => {
  await page.goto(`${tenantHome('bush-league')}/`);
  await page.getByRole('link', { name: 'Register' }).click();
  await expect(heading(page, 'Choose an organisation to support')).toBeVisible();
  const rows = readFileSync(new URL('../tenants/clubs.csv', import.meta.url), 'utf8').split('\n');
  const parent = tenantSettings('bush-league').parentClubId ?? '';
  const clubs = page.getByRole('list', { name: 'Clubs' }).getByRole('button');
  await expect(clubs).toHaveCount(rows.filter((row) => row.split(',')[3] === parent).length);
  await clubs.first().click();
  await expect(heading(page, 'Register')).toBeVisible();
  expect(await stored(page)).toMatchObject({ parentClubId: parent, selectedClubId: expect.any(String) });
});

test('savings appear nowhere at "aca"', async ({ page }) => {
  await signIn(page, await aSupporter(), tenantHome('aca'));
  await expect(page.getByRole('button', { name: 'Donate Now' })).toBeVisible();
  await expect(page.getByText(/savings/i)).toHaveCount(0);
  await page.goto(`${tenantHome('aca')}/linked-accounts`);
  await expect(page.getByRole('button', { name: 'Manage Bank Connection' })).toBeVisible();
  await expect(page.getByText(/savings/i)).toHaveCount(0);
});

test('a campaign that has ended takes no registration and still signs in', async ({ page }) => {
  for (const path of ['/clubs', '/register2']) {
    await page.goto(`${tenantHome('ended')}${path}`);
    await expect(heading(page, 'This campaign has ended')).toBeVisible();
  }
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

for (const [what, words] of Object.entries(loggedWords)) {
  test(`${what}: the default brand is shown with a notice, and the reason is logged`, async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    if (what === 'settings that do not load')
      await page.route('**/tenants/no-such-tenant.json', (load) => load.abort());
    await page.goto(`${tenantHome('no-such-tenant')}/`);
    await expect(page.getByText("Your organisation's page could not be loaded")).toBeVisible();
    expect(logged.join()).toMatch(words);
    expect(await stored(page)).toMatchObject({ host: 'no-such-tenant' });
  });
}

test('settings that load slowly leave no blank page', async ({ page }) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/tenants/no-such-tenant.json', async (load) => {
    await answered;
    await load.continue();
  });
  await page.goto(`${tenantHome('no-such-tenant')}/`);
  await expect(page.getByText('Loading...')).toBeVisible();
  answer();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByText('Loading...')).toBeHidden();
});

test('nothing of another tenant is loaded', async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  await page.goto(`${tenantHome('night-kitchen')}/`, { waitUntil: 'networkidle' });
  await signIn(page, await aSupporter(), tenantHome('night-kitchen'));
  for (const path of ['/dashboard', '/history', '/linked-accounts', '/clubs', '/support']) {
    await page.goto(`${tenantHome('night-kitchen')}${path}`, { waitUntil: 'networkidle' });
  }
  const ofTenants = files.filter((path) => path.startsWith('/tenants/'));
  expect(ofTenants.length).toBeGreaterThan(0);
  const ofOthers = ofTenants.filter((path) => !path.includes('night-kitchen'));
  // The picture of its own club, and the mark of the club that the supporter gives to.
  expect(new Set(ofOthers)).toEqual(new Set(['/tenants/pictures/stars.svg', '/tenants/logos/demo-mark.svg']));
});

test('/verify leads the supporter of another tenant there, signed in', async ({ page }) => {
  const { email, password, userId } = await supports('aca');
  await page.goto('/verify');
  const arrived = page.waitForRequest((request) => request.isNavigationRequest() && request.url().includes('//aca.'));
  await logIn(page, { email, password }, 'Verify');
  const address = new URL((await arrived).url());
  expect(address.pathname).toBe('/consented');
  expect(address.searchParams.get('userId')).toBe(userId);
  expect(address.searchParams.get('handoff')).toBeTruthy();
  await expect(page).toHaveURL(`${tenantHome('aca')}/roundup-accounts`);
  await expect(page.getByRole('checkbox').first()).toBeVisible();
});

test('/confirmed and /consented lead supporters of some clubs to their tenants', async ({ page }) => {
  await signIn(page, await supports('tidewater-surf'));
  await page.goto('/confirmed');
  await expect(page).toHaveURL(`${tenantHome('tidewater-surf')}/roundup-accounts`);
  await signIn(page, await supports('harbour-hounds'));
  await page.goto('/consented');
  await expect(page).toHaveURL(`${tenantHome('harbour-hounds')}/roundup-accounts`);
});

test('a userId alone opens nothing', async ({ page }) => {
  await page.goto(`${tenantHome('aca')}/consented?userId=somebody&handoff=made-up`);
  await expect(page.getByRole('button', { name: 'Verify My Account' })).toBeVisible();
});

test("by the other rule the tenant is the first label of the product's own host name", async ({ page }) => {
  const domain = 'night-kitchen.giving.localhost';
  const { place, program } = await aProduct({ TENANT_RULE: 'product-host', PRODUCT_DOMAIN: domain });
  for (const [host, title] of [
    [domain, /Night Kitchen/],
    ['redgum-landcare.giving.localhost', /Sparechange/],
    ['localhost', /Sparechange/],
  ] as const) {
    await page.goto(`http://${host}:${place.port}/`);
    await expect(page).toHaveTitle(title);
  }
  await stopProduct(program);
});
