// @vitest-environment jsdom
import { checkTenant, listTenantVersions, retrieveTenant } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, MemoryRouter, Route, RouterProvider, Routes } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { NewTenant, StoredTenant } from './tenant-editor.tsx';

beforeEach(() => {
  // The browser of this test measures nothing.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const content = { name: 'Bay League', theme: {}, biline: {} };
const key = 'bay-league';
const stored = {
  content,
  version: 3,
  state: 'live',
  haltedBecause: null,
  address: 'https://bay.example/',
  clubs: [],
};

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/bay-league']}>
        <Routes>
          <Route path="/:key" element={<StoredTenant />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );

test('a version can be restored only once typed changes, which it would replace, are saved or undone', () => {
  vi.stubGlobal('fetch', async () => Response.json({ problems: [], advice: [], previewId: null }));
  const versions = [3, 2].map((version) => ({
    version,
    origin: 'edit',
    savedAt: '2026-11-25T00:00:00.000Z',
    savedBy: 'Olive',
    changes: [],
  }));
  queryClient.setQueryData([retrieveTenant.name, 'answer', { key }], stored as never);
  queryClient.setQueryData([listTenantVersions.name, 'answer', { key }], { versions } as never);
  queryClient.setQueryData([checkTenant.name, 'answer', { key, content }], { problems: [], advice: [] } as never);
  open();
  const mayPutBack = () => !screen.getByRole<HTMLButtonElement>('button', { name: 'Put back version 2' }).disabled;
  const type = (name: string) => fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
  expect(mayPutBack()).toBe(true);
  type('Bay and Coast League');
  expect(mayPutBack()).toBe(false);
  expect(screen.getByText(/Save or undo what you changed/)).toBeTruthy();
  type('Bay League');
  expect(mayPutBack()).toBe(true);
});

test('a brand is refetched when reopened, as somebody else may have saved it', async () => {
  let version = 3;
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (pathname.endsWith(retrieveTenant.path)) return Response.json({ ...stored, version });
    if (pathname.endsWith(listTenantVersions.path)) return Response.json({ versions: [] });
    return Response.json({ problems: [], advice: [], previewId: null });
  });
  const { unmount } = open();
  await screen.findByText(/version 3/);
  unmount();
  await vi.waitFor(() =>
    expect(queryClient.getQueryCache().find({ queryKey: [retrieveTenant.name], exact: false })).toBeUndefined(),
  );
  version = 4;
  open();
  await screen.findByText(/version 4/, {}, { timeout: 2_000 });
});

test('a new brand reached by Back does not get another one’s settings', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ problems: [], advice: [], previewId: null }));
  queryClient.setQueryData([retrieveTenant.name, 'answer', { key: 'default' }], stored as never);
  const initialEntries = ['/bay/new?name=Bay', '/hills/new?name=Hills'];
  const router = createMemoryRouter([{ path: '/:key/new', element: <NewTenant /> }], { initialEntries });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const settings = () => ['Name', 'Identifier'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  expect(settings()).toEqual(['Hills', 'hills']);
  await act(() => router.navigate(-1));
  expect(settings()).toEqual(['Bay', 'bay']);
});
