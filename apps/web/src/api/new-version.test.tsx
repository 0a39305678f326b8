import { getUser } from '@sparechange/contract';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { openDashboard } from '#testing/open-dashboard.ts';
import { server } from '#testing/server.ts';

/** The page's own file. */
const script = Object.assign(document.createElement('script'), { type: 'text/plain', src: '/assets/start-0a1b2c.js' });
afterEach(() => script.remove());

/**
 * Opens the dashboard with unreadable answers and server pages that start with this file; returns a count of requests.
 */
function openWith(file: string): () => number {
  document.head.append(script);
  let asked = 0;
  openDashboard();
  server.use(
    http.post(`*/api${getUser.path}`, () => HttpResponse.json({ renamed: true })),
    http.get('*/dashboard', () => {
      asked += 1;
      return HttpResponse.html(`<script type="module" src="${file}"></script>`);
    }),
  );
  return () => asked;
}

const offer = 'A new version is ready.';

test('an answer that cannot be read offers nothing where the server is of the same version', async () => {
  const asked = openWith('/assets/start-0a1b2c.js');
  await waitFor(() => expect(asked()).toBeGreaterThan(0));
  expect(await screen.findByText('Failed to register. Please try again.')).toBeVisible();
  expect(screen.queryByText(offer)).not.toBeInTheDocument();
});

test('a page left open over an upgrade is offered the new version where it cannot read an answer', async () => {
  openWith('/assets/start-3d4e5f.js');
  expect(await screen.findByText(offer)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Use it' })).toBeVisible();
});
