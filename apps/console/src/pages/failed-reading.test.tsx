// @vitest-environment jsdom
import { retrieveSupporter, retrieveTenant, stopRun } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from '#api/call.ts';
import { queryClient, readAgain } from '#api/query-client.ts';
import { aSupporter } from '../testing/a-supporter.ts';
import { signedInAs } from '../testing/signed-in.ts';
import { ActDialog } from '../ui/act-dialog.tsx';
import { SupporterPage } from './supporters/supporter.tsx';
import { StoredTenant } from './tenants/tenant-editor.tsx';

signedInAs('owner');
beforeEach(() => {
  // The browser of this test has no network, and measures nothing.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

const open = (path: string, address: string, page: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path={path} element={page} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );

/** Refetches a page's answers, as a browser does when its window is focused; every call fails. */
async function failToRead(operation: { name: string }): Promise<void> {
  await act(() => readAgain([operation]));
  expect(queryClient.getQueryCache().find({ queryKey: [operation.name], exact: false })?.state.status).toBe('error');
}

test('a reason typed for an act of support stays if the supporter cannot be refetched', async () => {
  queryClient.setQueryData([retrieveSupporter.name, 'answer', { supporterId: 's' }], aSupporter('s') as never);
  open('/:supporterId', '/s', <SupporterPage />);
  fireEvent.click(screen.getByText('Stop debits'));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'their bank card was stolen' } });
  await failToRead(retrieveSupporter);
  expect(screen.getByLabelText<HTMLInputElement>('Reason').value).toBe('their bank card was stolen');
});

test('typed settings of a brand stay if the brand cannot be refetched', async () => {
  const content = { name: 'Bay League', theme: {}, biline: {} };
  const stored = {
    content,
    version: 3,
    state: 'live',
    haltedBecause: null,
    address: 'https://bay-league.sparechange.example/',
    clubs: [],
  };
  queryClient.setQueryData([retrieveTenant.name, 'answer', { key: 'bay-league' }], stored as never);
  open('/:key', '/bay-league', <StoredTenant />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Bay and Coast League' } });
  await failToRead(retrieveTenant);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Bay and Coast League');
});

test('a page that failed to load is loaded by a press, and once the browser is online again', async () => {
  open('/:supporterId', '/s', <SupporterPage />);
  fireEvent.click(await screen.findByText('Try again', {}, { timeout: 5000 }));
  await screen.findByText('Loading...');
  await screen.findByText('Try again', {}, { timeout: 5000 });
  vi.stubGlobal('fetch', async () => Response.json(null, { status: 404 }));
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  await screen.findByText('Something unexpected happened.');
  expect(screen.queryByText('Try again')).toBeNull();
});

test('an act sent offline leaves its dialog with the typed values, to be pressed again', async () => {
  const closed = vi.fn<() => void>();
  const sent = vi.fn<(form: FormData) => void>();
  const act = (form: FormData) => {
    sent(form);
    return call(stopRun, { because: String(form.get('because')) });
  };
  open(
    '/',
    '/',
    <ActDialog title="Leave it stopped" action="Stop" act={act} onClose={closed}>
      {() => <input name="because" aria-label="Reason" />}
    </ActDialog>,
  );
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'the fair' } });
  for (const times of [1, 2]) {
    fireEvent.submit(screen.getByLabelText('Reason'));
    await screen.findByText(/The server does not answer/);
    expect(sent).toHaveBeenCalledTimes(times);
  }
  expect(screen.getByLabelText<HTMLInputElement>('Reason').value).toBe('the fair');
  expect(closed).not.toHaveBeenCalled();
});
