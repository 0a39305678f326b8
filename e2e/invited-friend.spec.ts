import { expect } from '@playwright/test';
import { addDays, sydneyDay } from '@sparechange/domain';
import { logIn, signIn } from './as-supporter.ts';
import { test } from './isolated-product.ts';
import { mailsTo } from './mails.ts';
import { ops } from './ops.ts';
import { aSupporter } from './supporter.ts';

const password = 'correct horse battery';

test('a friend registers by a shared link, stops, is reminded once, and resumes where they stopped', async ({
  browser,
  page,
}) => {
  const supporter = await aSupporter();
  const email = `friend.${Date.now()}@example.com`;
  const friend = await (await browser.newContext()).newPage();
  const { now } = await ops<{ now: string }>('status');
  const inDays = (days: number) =>
    expect(() => ops('advance', '--to', `${addDays(sydneyDay(new Date(now)), days)}T07:00`)).toPass();
  const reminders = async () => (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Finish setting up'));

  await test.step('the dashboard copies a link that names who shared it', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, supporter);
    await page.getByRole('button', { name: 'Share your club' }).click();
    await expect(page.getByText('Link copied.')).toBeVisible();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toContain(`?efg=1&u=${supporter.cdrid}`);
    await friend.goto(link);
  });

  await test.step('a friend registers for that club, and stops before the bank', async () => {
    await friend.getByRole('link', { name: 'Start rounding up' }).click();
    const fields = { 'First Name': 'Nadia', 'Last Name': 'Okafor', Email: email, 'Mobile Number': '0412345678' };
    for (const [label, value] of Object.entries({ ...fields, Password: password, 'Confirm Password': password }))
      await friend.getByLabel(label, { exact: true }).fill(value);
    await friend.getByRole('checkbox', { name: 'I agree' }).check();
    await friend.getByRole('button', { name: 'Register' }).click();
    await expect(friend).toHaveURL(/\/launch-consent$/);
    const { events } = await ops<{ events: { sentence: string }[] }>('supporter', 'timeline', email);
    expect(events[0]?.sentence).toContain(`referred by efg:${supporter.cdrid}`);
  });

  await test.step('days later one email leads back to where they stopped', async () => {
    await inDays(3);
    const [mail, ...others] = await reminders();
    expect(others).toEqual([]);
    const link = /https?:\S+\/finished/.exec(mail?.text ?? '')?.[0] ?? '';
    await friend.goto(link);
    await expect(friend).toHaveURL(/\/launch-consent$/);
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(link);
    await logIn(elsewhere, { email, password });
    await expect(elsewhere).toHaveURL(/\/launch-consent$/);
    await elsewhere.context().close();
    await inDays(5);
    expect(await reminders()).toHaveLength(1);
  });
  await friend.context().close();
});
