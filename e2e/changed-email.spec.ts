import { randomUUID } from 'node:crypto';
import { expect, logIn, signIn, test } from './as-supporter.ts';
import { mailsTo } from './mails.ts';
import { aSupporter } from './supporter.ts';

/** Returns the link in that subject's newest mail. */
async function mailedLink(email: string, subject: string): Promise<string> {
  const find = async () => {
    const mail = (await mailsTo(email)).findLast((each) => each.subject === subject);
    return /https?:\/\/\S*oobCode=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  };
  await expect.poll(find).not.toBe('');
  return find();
}

test('an address is changed by a link to the new one, and given back by a link to the old one', async ({ page }) => {
  const supporter = await aSupporter();
  const newEmail = `${randomUUID()}@example.com`;
  await signIn(page, supporter);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: `${supporter.email}, your account` }).click();
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByLabel('New email address').fill(newEmail);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('We have sent a link to')).toBeVisible();

  await page.goto(await mailedLink(newEmail, 'Confirm your new email address'));
  await page.getByRole('button', { name: 'Confirm new address' }).click();
  await expect(page.getByText('Your email address is now')).toBeVisible();
  await page.getByRole('link', { name: 'Login' }).click();
  await logIn(page, supporter);
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();
  await logIn(page, { ...supporter, email: newEmail });
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto(await mailedLink(supporter.email, 'Your email address was changed'));
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await expect(page.getByText('Your email address is')).toContainText(`${supporter.email} again`);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible(); // the browser that made the change is signed out
  await logIn(page, { ...supporter, email: newEmail });
  await expect(page.getByText('Failed to log in. Please check your credentials.')).toBeVisible();

  await page.goto(await mailedLink(supporter.email, 'Reset your password'));
  await page.getByLabel('New Password').fill('a wholly new one');
  await page.getByLabel('Confirm Password').fill('a wholly new one');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('link', { name: 'Login' }).click();
  await logIn(page, { ...supporter, password: 'a wholly new one' });
  await expect(page).toHaveURL(/\/dashboard$/);
});
