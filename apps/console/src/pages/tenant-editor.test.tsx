// @vitest-environment jsdom
import { checkTenant, listTenantVersions, retrieveTenant } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { StoredTenant } from './tenant-editor.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a version is put back once what was typed is saved or undone, as it would be lost', () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async () => Response.json({ problems: [], advice: [], previewId: null }));
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
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/bay-league']}>
        <Routes>
          <Route path="/:key" element={<StoredTenant />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const mayPutBack = () => !screen.getByRole<HTMLButtonElement>('button', { name: 'Put back version 2' }).disabled;
  const type = (name: string) => fireEvent.change(screen.getByLabelText('Name'), { target: { value: name } });
  expect(mayPutBack()).toBe(true);
  type('Bay and Coast League');
  expect(mayPutBack()).toBe(false);
  expect(screen.getByText(/Save or undo what you changed/)).toBeTruthy();
  type('Bay League');
  expect(mayPutBack()).toBe(true);
});
