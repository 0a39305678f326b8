import { expect } from '@playwright/test';
import { queueEmail } from '@sparechange/server/features/correspondence/emails/queue-email.ts';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { test } from './isolated-product.ts';
import { mailsTo } from './mails.ts';
import { demo, inDatabase } from './product.ts';
import { aSupporter } from './supporter.ts';

test.use({ product: 'mail' }); // in which no other mail has failed

test('support finds a mail, reads it without its links, and sends it again', async ({ page }) => {
  const { email } = await aSupporter();
  const welcomes = async () => (await mailsTo(email)).filter(({ text }) => text.includes('confirm-email')).length;
  await expect.poll(welcomes).toBe(1);
  await signInAs(page, 'support');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await expect(heading(page, 'Mail')).toBeVisible();
  await expect(page.getByText('Waiting', { exact: true }).first()).toBeVisible();
  await page.getByLabel('Search').fill(email);
  await expect(page).toHaveURL(/address=/);
  await page.getByLabel('Kind').selectOption('Welcome');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: 'Sent' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Welcome' }).click();
  const dialog = page.getByRole('dialog', { name: 'Welcome' });
  await expect(dialog.getByText('[link]').first()).toBeVisible();
  await expect(dialog.getByText(/https?:/)).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect.poll(welcomes).toBe(2);

  await page.getByLabel('Status').selectOption('Bounced');
  await expect(page.getByText('No mail matches this filter.')).toBeVisible();
  await expectAccessible(page);
});

/** Has five mails to the demo supporter fail, as after an outage of the mail server. */
const failFiveMails = (): Promise<void> =>
  inDatabase(process.env.E2E_DATA_DIR ?? '', async (db) => {
    const [supporter] = await db<
      { id: string }[]
    >`select supporter_id as id from supporters where email = ${demo.email}`;
    for (const key of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const mail = {
        supporterId: supporter?.id ?? '',
        key,
        facts: { kind: 'password_changed' },
        at: new Date(),
      } as const;
      await db.begin(async (tx) => {
        await queueEmail(tx, mail);
        await tx`update mails set given_up_at = now(), attempts = 9, failure = 'no answer' where key like ${`%${key}%`}`;
      });
    }
  });

test('support selects five failed mails, and each goes out once with one entry in the audit log', async ({ page }) => {
  await failFiveMails();
  await signInAs(page, 'owner');
  await page.setViewportSize(desktop);
  await page.getByRole('link', { name: 'Mail', exact: true }).click();
  await page.getByLabel('Status').selectOption('Given up');
  await expect(page.getByRole('row')).toHaveCount(6);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('5 selected')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Send 5 mails again?');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog).toContainText('5 mails sent again.');
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('No mail matches this filter.')).toBeVisible();

  const sent = async () => (await mailsTo(demo.email)).filter(({ subject }) => subject === 'Your password was changed');
  await expect.poll(async () => (await sent()).length).toBe(5);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Search').fill('mail again');
  const entries = page.getByRole('row').filter({ hasText: 'Sent a mail again' });
  await expect(entries.filter({ hasText: 'Pat owner' })).toHaveCount(5);
});
