import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { mailsTo } from './mails.ts';

test('a club asks to join, confirms it by mail, and is added by an owner', async ({ page, browser }) => {
  const name = `Bay Choir ${randomUUID().slice(0, 8)}`;
  const email = `sam-${randomUUID()}@choir.example`;
  await page.goto('/clubs');
  await page.getByRole('link', { name: 'Ask to add it' }).click();
  await expect(heading(page, 'Join with your club')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Name of the club').fill(name);
  await page.getByLabel('ABN').fill('51 824 753 556');
  await page.getByLabel('Suburb').fill('Bay View');
  await page.getByLabel('What is the money for?').fill('Sheet music');
  await page.getByLabel('Your name').fill('Sam Song');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Ask to join' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await expectAccessible(page);

  const mailed = async (subject: string) => (await mailsTo(email)).find((mail) => mail.subject === subject)?.text ?? '';
  await expect.poll(() => mailed('Please confirm that your club asks to join')).toMatch(/\/join\//);
  const link = /\/join\/\S+/.exec(await mailed('Please confirm that your club asks to join'))?.[0] ?? '';
  await page.goto(link);
  await expect(heading(page, 'Your club asks to join')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm the request' }).click();
  await expect(page.getByText(`The request for ${name} is with us.`)).toBeVisible();

  const owner = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  await signInAs(owner, 'owner');
  await owner.getByRole('link', { name: 'Clubs' }).click();
  await owner.getByRole('link', { name: /^Requests/ }).click();
  await expect(heading(owner, 'Requests')).toBeVisible();
  await expectAccessible(owner);
  await owner.setViewportSize({ width: 1280, height: 860 });
  await owner.getByRole('button', { name }).click();
  const dialog = owner.getByRole('dialog', { name });
  await expect(dialog.getByText('Sheet music')).toBeVisible();
  await expect(dialog.getByText('SANDBOX CLUB 556 INC, active')).toBeVisible();
  await expectAccessible(owner);
  await dialog.getByRole('button', { name: 'Add the club' }).click();
  await expect(heading(owner, name)).toBeVisible();
  await expect(owner.getByText(email)).toBeVisible();
  await expect.poll(() => mailed(`${name} can be supported`)).toMatch(/its page is open/);
});
