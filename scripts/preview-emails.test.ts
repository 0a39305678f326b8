import { expect, test } from 'vitest';
import { previewPage } from './preview-emails.ts';

test('every kind of email is shown once at least, in the look of the tenant', async () => {
  const page = await previewPage('aca');
  for (const kind of ['welcome', 'debit_returned', 'debit_notice']) expect(page).toContain(`<h2>${kind}</h2>`);
  expect(page).toMatch(/file:\/\/[^"]*\/tenants\/logos\/aca\.svg/);
  expect(page).not.toContain('undefined');
});

test('a tenant that is not there is named', () =>
  expect(previewPage('nobody')).rejects.toThrow('There is no tenant nobody'));
