import { expect, test } from '@playwright/test';
import { desktop, expectAccessible } from './accessible.ts';
import { heading, signInAs } from './console-sign-in.ts';
import { inDatabase } from './product.ts';

/** Leaves a job failed eleven times, as the queue gives up after hours; no later job does its work. */
const giveUp = (queue: string): Promise<void> =>
  inDatabase(
    process.env.E2E_DATA_DIR ?? '',
    (db) => db`
      insert into pgboss.job (name, data, singleton_key, source_name, source_id, source_retry_count, source_output)
      values ('dead-letters', '{}', gen_random_uuid(), ${queue}, gen_random_uuid(), 10, ${db.json({ message: 'the provider answered 503' })})`,
  );

test('an owner sees the timetable and the queues, and retries and drops failed jobs', async ({ page }) => {
  for (const queue of ['submit-donations', 'mails']) await giveUp(queue);
  await signInAs(page, 'owner');
  await expect(page.getByText(/^\d+ jobs failed and are not tried again/)).toBeVisible();
  await page.getByRole('link', { name: 'See Jobs' }).click();
  await expect(heading(page, 'Jobs')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Debit run', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Mails to be sent' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);

  const failed = page.getByRole('region', { name: 'Failed jobs' });
  const donations = failed.getByRole('button', { name: 'Job: submit donations' });
  await donations.click();
  await expect(page.getByText('the provider answered 503').last()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Drop' }).click();
  const dropping = page.getByRole('dialog', { name: 'Drop Job: submit donations?' });
  await dropping.getByRole('button', { name: 'Drop' }).click();
  await expect(dropping.getByText('Please say why')).toBeVisible();
  await dropping.getByLabel('Reason').fill('a later job has done it');
  await dropping.getByRole('button', { name: 'Drop' }).click();
  await expect(dropping).toBeHidden();
  await expect(donations).toBeHidden();
  await expect(failed.getByRole('button', { name: 'Job: send mails' })).toBeVisible();
  await page.getByRole('button', { name: 'Retry all' }).click();
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(page.getByText('1 job queued again.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('No job has failed.')).toBeVisible();
});

test('an owner drops a notification that can never be handled', async ({ page }) => {
  // Other tests' notifications have this one tried again, which finds the same failure.
  await inDatabase(
    process.env.E2E_DATA_DIR ?? '',
    (db) => db`
      insert into notifications (provider, id, body, received_at, failure)
      values ('zepto', 'of another version', '{"outcomes": "none"}', now(), 'its outcomes cannot be read')
      on conflict (provider, id) do update set handled_at = null`,
  );
  await signInAs(page, 'owner');
  await page.goto('/console/jobs');
  const failed = page.getByRole('region', { name: 'Failed notifications' });
  await failed.getByRole('button', { name: 'Notification of payments' }).click();
  await expect(page.getByRole('dialog').getByText('its outcomes cannot be read')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Drop' }).click();
  const dropping = page.getByRole('dialog', { name: 'Drop this notification?' });
  await dropping.getByLabel('Reason').fill('the poll has found its outcome');
  await dropping.getByRole('button', { name: 'Drop' }).click();
  await expect(dropping).toBeHidden();
  await expect(page.getByText('Every notification of a provider was handled.')).toBeVisible();
});

test('support looks at jobs and changes nothing', async ({ page }) => {
  await signInAs(page, 'support');
  await page.goto('/console/jobs');
  await expect(page.getByRole('cell', { name: 'Audit of the books' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry all' })).toBeHidden();
});
