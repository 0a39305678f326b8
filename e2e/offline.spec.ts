import { donateNow } from '@sparechange/contract';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './as-supporter.ts';
import { keepsWaiting } from './mock-api.ts';
import { press } from './states/state.ts';

const offlineLine = /You are offline/;

test.beforeEach(async ({ member }) => {
  await member.goto('/dashboard', { waitUntil: 'networkidle' });
  await expect(member.getByRole('radio', { name: '$1' })).toBeChecked();
});

test('offline a change reverts and says so, and nothing of it is sent later', async ({ member }) => {
  await member.context().setOffline(true);
  await expect(member.getByText(offlineLine)).toBeVisible();
  await member.getByRole('radio', { name: '$5' }).click();
  await expect(member.getByText(/Your change was not saved/)).toBeVisible();
  await expect(member.getByRole('radio', { name: '$1' })).toBeChecked();
  await expectAccessible(member);
  const sent: string[] = [];
  member.on('request', (request) => sent.push(request.url()));
  await member.context().setOffline(false);
  await expect(member.getByText(offlineLine)).toBeHidden();
  await member.reload({ waitUntil: 'networkidle' });
  await expect(member.getByRole('radio', { name: '$1' })).toBeChecked();
  expect(sent.filter((url) => url.includes('set-roundup-amount'))).toEqual([]);
});

test('offline a donation fails immediately, can be left, and is never sent later', async ({ member }) => {
  await press('Donate Now')(member);
  await member.getByLabel('Amount').fill('7');
  await member.context().setOffline(true);
  await press('Submit')(member);
  await expect(member.getByText('Failed to process donation. Please try again.')).toBeVisible();
  await member.keyboard.press('Escape');
  await expect(member.getByRole('dialog')).toBeHidden();
  const sent: string[] = [];
  member.on('request', (request) => sent.push(request.url()));
  await member.context().setOffline(false);
  await member.reload({ waitUntil: 'networkidle' });
  expect(sent.filter((url) => url.includes('donate-now'))).toEqual([]);
});

test('a donation whose answer does not come can be left', async ({ member }) => {
  await keepsWaiting(donateNow)(member);
  await press('Donate Now')(member);
  await member.getByLabel('Amount').fill('7');
  await press('Submit')(member);
  await press('Cancel')(member);
  await expect(member.getByRole('dialog')).toBeHidden();
  await expect(member.getByText(/You left before your donation was confirmed/)).toBeVisible();
});

test('offline the pages already seen can be read', async ({ member }) => {
  await member.getByRole('link', { name: 'View All' }).click();
  await expect(member.getByRole('table')).toBeVisible();
  await member.goBack();
  await member.context().setOffline(true);
  await member.getByRole('link', { name: 'View All' }).click();
  await expect(member.getByRole('table')).toBeVisible();
  await member.context().setOffline(false);
  await expect(member.getByText(offlineLine)).toBeHidden();
});
