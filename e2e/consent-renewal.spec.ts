import { type Browser, expect, type Page } from '@playwright/test';
import { addDays, type IsoDate, shortDay, sydneyDay } from '@sparechange/domain';
import { logIn, signIn } from './as-supporter.ts';
import { authoriseAtBank, heading } from './at-the-bank.ts';
import { test } from './isolated-product.ts';
import { lastMail } from './mails.ts';
import { ops } from './ops.ts';
import { aSupporter, product, type Supporter } from './supporter.ts';

for (const [path, title] of [
  ['extend-consent', 'Extend CDR Consent'],
  ['expired-consent', 'Expired CDR Consent'],
]) {
  test(`/${path} without a mailed link asks to sign in and leads on from there`, async ({ page }) => {
    const supporter = await aSupporter({ upTo: 'registered' });
    await page.goto(`/${path}/${encodeURIComponent(supporter.email)}`);
    await expect(heading(page, title ?? '')).toBeVisible();
    await page.getByRole('button', { name: 'Extend' }).click();
    await logIn(page, supporter);
    await expect(page).toHaveURL(/\/linked-accounts/);
  });
}

test('an address that nobody has is answered like any other', async ({ page }) => {
  const links: unknown[] = [];
  for (const email of [(await aSupporter({ upTo: 'registered' })).email, 'nobody.at.all@example.com']) {
    const answered = page.waitForResponse(/consent-extend$/);
    await page.goto(`${product()}/extend-consent/${encodeURIComponent(email)}`);
    links.push(await (await answered).json());
    await expect(page.getByRole('button', { name: 'Extend' })).toBeEnabled();
  }
  expect(links[0]).toEqual(links[1]);
});

test('an expired consent is renewed from its card, and purchases made in between are rounded up once', async ({
  page,
}) => {
  const supporter = await aSupporter({ crn: '12345693' });
  const of = ['--supporter', supporter.email];
  const { now } = await ops<{ now: string }>('status');
  const meanwhile = addDays(sydneyDay(new Date(now)), 1);
  await ops('sandbox', 'consent', ...of, '--expire');
  await ops('consent-run');
  await expect(() => ops('advance', '--days', '2')).toPass();
  await signIn(page, supporter);
  await expect(page.getByText('Your bank connection has ended.')).toBeVisible();
  await page.goto('/linked-accounts');
  await expect(page.getByText("Then we'll catch up on what you bought in between.")).toBeVisible();
  await page.getByRole('button', { name: 'Renew Consent' }).click();
  await authoriseAtBank(page, '12345693');
  await page.waitForURL(/\/(roundup-accounts|dashboard)$/);
  await page.goto('/linked-accounts');
  await expect(page.getByText('Consent ends')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Renew Consent' })).toBeHidden();
  await expect(page.getByRole('checkbox', { name: /^Hooli Everyday/ }).first()).toBeChecked();
  await ops('sandbox', 'purchase', ...of, '--amount', '4.35', '--description', 'KIOSK MEANWHILE', '--date', meanwhile);
  for (const _time of [1, 2]) await ops('sync', ...of);
  await page.goto('/history');
  await expect(page.getByRole('row').filter({ hasText: 'KIOSK MEANWHILE' })).toContainText('$0.65');
});

const advance = (days: number) => expect(() => ops('advance', '--days', String(days))).toPass();
const today = async () => sydneyDay(new Date((await ops<{ now: string }>('status')).now));

/** Buys for $4.35 on each of these days from today. */
async function buysOn(supporter: Supporter, days: number[]): Promise<void> {
  const day = await today();
  for (const offset of days) {
    const words = ['--amount', '4.35', '--description', `KIOSK ${addDays(day, offset)}`];
    await ops('sandbox', 'purchase', '--supporter', supporter.email, ...words, '--date', addDays(day, offset));
  }
  for (const _time of [1, 2]) await ops('sync', '--supporter', supporter.email);
}

async function roundedOnce(page: Page, days: string[]): Promise<void> {
  await page.goto(`${product()}/history`);
  for (const day of days) {
    const rows = page.getByRole('row').filter({ hasText: `KIOSK ${day}` });
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('$0.65');
  }
}

const daysLeft = 8;

interface EndingConsent {
  supporter: Supporter;
  oldEnd: IsoDate;
  /** In a browser of the supporter's own, for as long as the consent is followed. */
  page: Page;
}

/** Makes reminded supporters whose consents and permissions end soon. */
async function endingConsents(browser: Browser, crns: string[]): Promise<EndingConsent[]> {
  const oldEnd = addDays(await today(), daysLeft);
  const found: EndingConsent[] = [];
  for (const crn of crns) {
    const supporter = await aSupporter({ crn });
    await ops('sandbox', 'consent', '--supporter', supporter.email, '--end-in', String(daysLeft));
    await ops('sync', '--supporter', supporter.email);
    const context = await browser.newContext({ baseURL: product(), serviceWorkers: 'block' });
    found.push({ supporter, oldEnd, page: await context.newPage() });
  }
  await advance(1);
  return found;
}

const extendAtBank = async (page: Page) => {
  await heading(page, 'Extend your consent').waitFor();
  await page.getByRole('button', { name: 'Extend consent' }).click();
};

const confirmAtBank = async (page: Page) => {
  await heading(page, 'Reauthorise your banks').waitFor();
  await page.getByRole('button', { name: 'Reauthorise Hooli' }).click();
};

// Each day that is played takes seconds, so these supporters share theirs.
test.describe
  .serial('a consent that ends soon', () => {
    let byCard: EndingConsent;
    let byMail: EndingConsent;
    let halfway: EndingConsent;
    const days = (offsets: number[]) => offsets.map((offset) => addDays(byCard.oldEnd, offset));

    test.beforeAll(async ({ browser }) => {
      [byCard, byMail, halfway] = (await endingConsents(browser, ['12345704', '12345715', '12345726'])) as [
        EndingConsent,
        EndingConsent,
        EndingConsent,
      ];
    });

    test.afterAll(async () => {
      for (const consent of [byCard, byMail, halfway]) await consent?.page.context().close();
    });

    test('is renewed from its card, in two steps at the bank', async () => {
      const { supporter, oldEnd, page } = byCard;
      await buysOn(supporter, [-1, 0]);

      await test.step('the dashboard and the card say so; turning back at the bank loses nothing', async () => {
        await signIn(page, supporter);
        await expect(page.getByText(`Your bank connection ends on ${shortDay(oldEnd)}.`)).toBeVisible();
        await page.getByRole('link', { name: 'Renew it' }).click();
        await page.getByRole('button', { name: 'Renew Consent' }).click();
        await page.getByRole('button', { name: 'Close' }).click();
        await expect(heading(page, 'Not Renewed Yet')).toBeVisible();
      });

      await test.step('prolonging leads on to the step at the bank, now or later', async () => {
        await page.getByRole('button', { name: 'Renew Consent' }).click();
        await extendAtBank(page);
        await expect(heading(page, 'One More Step')).toBeVisible();
        await page.getByRole('link', { name: 'Later' }).click();
        await expect(page.getByText(/^Your bank stops sharing on \w{3}\s\d+\s\w{3}\./)).toBeVisible();
        await page.goto('/linked-accounts');
        await page.getByRole('button', { name: 'Confirm at Your Bank' }).click();
        await confirmAtBank(page);
        await expect(heading(page, 'Renewed')).toBeVisible();
        await page.getByRole('link', { name: 'Go to Dashboard' }).click();
        await expect(page.getByRole('switch', { name: 'Round-Ups On' })).toBeVisible();
        await expect(page.getByText(/bank connection ends|stops sharing/)).toBeHidden();
      });
    });

    test('is renewed by the mailed link without signing in, its screen shows the remaining steps after each', async () => {
      const { supporter, page } = byMail;
      const mail = await lastMail(supporter.email, 'Your bank connection ends on');
      await page.goto(/http\S+extend-consent\S+/.exec(mail.text)?.[0] ?? '');
      await page.getByRole('button', { name: 'Extend' }).click();
      await extendAtBank(page);
      await expect(heading(page, 'Extend CDR Consent')).toBeVisible();
      await expect(page.getByText('Your bank has a permission of its own')).toBeVisible();
      await page.getByRole('button', { name: 'Confirm at Your Bank' }).click();
      await confirmAtBank(page);
      await expect(page.getByText('There is nothing more to do.')).toBeVisible();
    });

    test('is prolonged without the step at the bank', async () => {
      const { supporter, page } = halfway;
      await signIn(page, supporter);
      await page.goto('/linked-accounts');
      await page.getByRole('button', { name: 'Renew Consent' }).click();
      await extendAtBank(page);
      await expect(heading(page, 'One More Step')).toBeVisible();
    });

    test('once renewed, purchases around the old end, and after it, are rounded once', async () => {
      await advance(daysLeft + 1);
      expect(addDays(await today(), -2)).toBe(byCard.oldEnd);

      await test.step('renewed from its card', async () => {
        const { supporter, page } = byCard;
        await buysOn(supporter, [-3, -2, -1, 0]);
        await roundedOnce(page, days([-daysLeft, 1 - daysLeft, -1, 0, 1, 2]));
        await page.goto('/linked-accounts');
        await expect(page.getByRole('button', { name: /Renew Consent|Confirm at Your Bank/ })).toBeHidden();
      });

      await test.step('renewed by the mailed link', async () => {
        const { supporter, page } = byMail;
        await buysOn(supporter, [-2, -1, 0]);
        await page.getByRole('link', { name: 'Go to Dashboard' }).click();
        await signIn(page, supporter);
        await roundedOnce(page, days([0, 1, 2]));
      });
    });

    test('a supporter who skipped the step at the bank is reminded before and after, and loses nothing', async () => {
      const { supporter, page } = halfway;
      await advance(15);
      await lastMail(supporter.email, 'Your bank stops sharing on');
      const mail = await lastMail(supporter.email, 'Your bank has stopped sharing');
      await buysOn(supporter, [-17, -16, -15, -1]);
      expect(addDays(await today(), -17)).toBe(halfway.oldEnd);
      await page.goto('/dashboard');
      await expect(page.getByText('Your bank has stopped sharing.')).toBeVisible();
      await page.goto('/history');
      await page.getByLabel("Show purchases that didn't count").check();
      await expect(page.getByRole('row').filter({ hasText: `KIOSK ${days([1])}` })).toHaveCount(0);

      await page.goto(/http\S+extend-consent\S+/.exec(mail.text)?.[0] ?? '');
      await page.getByRole('button', { name: 'Confirm at Your Bank' }).click();
      await confirmAtBank(page);
      await expect(heading(page, 'Renewed')).toBeVisible();
      await ops('advance', '--days', '1');
      for (const _time of [1, 2]) await ops('sync', '--supporter', supporter.email);
      await roundedOnce(page, days([0, 1, 2, 16]));
      await page.goto('/dashboard');
      await expect(page.getByText('Your bank has stopped sharing.')).toBeHidden();
    });
  });
