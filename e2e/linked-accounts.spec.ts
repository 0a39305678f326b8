import type { Page } from '@playwright/test';
import { expect, test } from './as-supporter.ts';

const group = (page: Page, name: string) => page.getByRole('group', { name });

test.beforeEach(async ({ member }) => {
  await member.goto('/linked-accounts');
  await expect(group(member, 'Round-Up Accounts')).toBeVisible();
});

test('round-up accounts are changed with Submit', async ({ member }) => {
  const other = group(member, 'Round-Up Accounts').getByRole('checkbox', { checked: false }).first();
  const name = (await other.locator('xpath=ancestor::label').textContent()) ?? '';
  await other.check();
  await member.getByRole('button', { name: 'Submit' }).click();
  await expect(member.getByText('Saved')).toBeVisible();
  await member.reload();
  await expect(group(member, 'Round-Up Accounts').getByRole('checkbox', { name })).toBeChecked();
});

test('ticking a funding account saves immediately and makes it the only one', async ({ member }) => {
  const boxes = group(member, 'Funding Account (Debits)').getByRole('checkbox', { disabled: false });
  await expect(boxes).not.toHaveCount(0);
  const saved = member.waitForResponse(/update-funding-account$/);
  const other = group(member, 'Funding Account (Debits)').getByRole('checkbox', { checked: false, disabled: false });
  const name = (await other.first().locator('xpath=ancestor::label').textContent()) ?? '';
  await other.first().click();
  const answer = await saved;
  expect(answer.ok()).toBe(true);
  const { accounts } = answer.request().postDataJSON() as { accounts: { activeDebitEnabled: boolean }[] };
  expect(accounts.filter((account) => account.activeDebitEnabled)).toHaveLength(1);
  await member.reload();
  const ticked = group(member, 'Funding Account (Debits)').getByRole('checkbox', { checked: true });
  await expect(ticked).toHaveCount(1);
  await expect(group(member, 'Funding Account (Debits)').getByRole('checkbox', { name })).toBeChecked();
});

test('a savings account is linked, shown masked, and switched on', async ({ member }) => {
  await expect(member.getByText('no account linked')).toBeVisible();
  await member.getByRole('button', { name: 'Change Account' }).click();
  const modal = member.getByRole('dialog', { name: 'Savings Account' });
  await modal.getByRole('button', { name: 'Submit' }).click();
  await expect(modal.getByText('BSB is required')).toBeVisible();
  await modal.getByLabel('Account Name').fill('M Halloran Saver');
  await modal.getByLabel('BSB').fill('062001');
  await modal.getByLabel('Account Number').fill('123457741');
  await modal.getByRole('button', { name: 'Submit' }).click();
  await expect(modal).toBeHidden();
  await expect(member.getByText('XXXXX7741')).toBeVisible();

  await member.goto('/dashboard');
  const savings = member.getByRole('switch', { name: /^Linked Savings Account/ });
  const wasOn = await savings.isChecked();
  const saved = member.waitForResponse(/set-savings-account$/);
  await savings.click();
  expect((await saved).ok()).toBe(true);
  if (wasOn) await savings.click();
  await expect(savings).toBeChecked();
  await expect(member.getByText('M Halloran Saver')).toBeVisible();
  await member.getByRole('button', { name: 'Manage Linked Account' }).click();
  await expect(member).toHaveURL(/\/linked-accounts$/);
});

test('Manage Bank Connection leads to the bank', async ({ member }) => {
  await member.getByRole('button', { name: 'Manage Bank Connection' }).click();
  await expect(member).toHaveURL(/\/home\?/);
});
