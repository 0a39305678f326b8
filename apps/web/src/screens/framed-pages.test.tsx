import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantSettings } from '@sparechange/contract';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { visit } from '../testing/visit.tsx';

const foreign = { supportURL: 'https://help.example/', termsURL: 'https://law.example/terms' };

async function granted(path: string, settings: Partial<TenantSettings> = {}): Promise<string[]> {
  visit(path, { isSignedIn: true, settings });
  await waitFor(() => expect(document.querySelector('iframe')).not.toBeNull());
  return document.querySelector('iframe')?.getAttribute('sandbox')?.split(' ') ?? [];
}

test.each(['/support', '/terms'])("a tenant's page on %s may run scripts but not navigate the window", async (path) => {
  const rights = await granted(path, foreign);
  expect(rights).toContain('allow-scripts');
  for (const right of rights) expect(right).not.toMatch(/^allow-(top-navigation|downloads|modals)/);
});

test.each([
  ['/support', {}],
  ['/terms', {}],
  ['/privacy', {}],
  ['/support', { supportURL: 'https://hounds.sparechange.localhost/pages/faq.html' }],
])('our own page on %s with %o cannot take its sandbox off', async (path, settings) => {
  const rights = await granted(path, settings);
  expect(rights).toContain('allow-same-origin'); // its style sheet and font are ours alone
  expect(rights).not.toContain('allow-scripts');
  for (const right of rights) expect(right).not.toMatch(/^allow-(top-navigation|downloads|modals)/);
});

test('the privacy page says what a club learns, and that a statement has full names', () => {
  const page = readFileSync(join(import.meta.dirname, '../../public/pages/privacy.html'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  expect(page).toContain('how many people gave, once there are five');
  expect(page).toContain('a statement of a month, we may give it one with your full name and what you gave that month');
});
