// @vitest-environment jsdom
import { approveClubRequest, listClubRequests, lookUpAbn, retrieveClubChoices } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { signedInAs } from '../../testing/signed-in.ts';
import { Requests } from './requests.tsx';

signedInAs('owner');

const request = {
  id: '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001',
  name: 'Harbour Choir',
  suburb: 'Balmain',
  abn: '51824753556',
  purpose: 'A new piano',
  contactName: 'Cleo',
  email: 'cleo@example.com',
  tenantKey: 'default',
  askedAt: '2026-11-25T00:00:00.000Z',
};

let waiting = [request];
beforeEach(() => {
  waiting = [request];
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    if (pathname.endsWith(listClubRequests.path))
      return Response.json({ rows: waiting, next: null, count: waiting.length });
    if (pathname.endsWith(lookUpAbn.path)) return Response.json({ state: 'not_configured', name: null });
    if (pathname.endsWith(retrieveClubChoices.path))
      return Response.json({ tenants: [], parents: [], hasMoreParents: false, logos: [], pictures: [] });
    const error = { code: 'conflict', message: 'The request was decided already.', requestId: '1' };
    return pathname.endsWith(approveClubRequest.path)
      ? Response.json({ error }, { status: 409 })
      : new Promise(() => {});
  });
});

async function open(): Promise<void> {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Requests />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Harbour Choir' }));
}

test('a request decided by somebody else leaves the list once that is shown', async () => {
  await open();
  waiting = [];
  fireEvent.click(await screen.findByText('Add the club'));
  await screen.findByText('The request was decided already.');
  await screen.findByText(/^No club waits for an answer/, {}, { timeout: 2_000 });
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Harbour Choir');
});

test('a club cannot be added before its brand is known', async () => {
  const answer = globalThis.fetch as unknown as (url: URL) => Promise<Response>;
  let choices: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', (url: URL) =>
    url.pathname.endsWith(retrieveClubChoices.path)
      ? new Promise<Response>((resolve) => (choices = resolve))
      : answer(url),
  );
  waiting = [{ ...request, tenantKey: 'bay-league' }];
  await open();
  expect(screen.queryByText('Add the club')).toBeNull();
  const bay = { key: 'bay-league', name: 'Bay League', parentId: request.id };
  choices(Response.json({ tenants: [bay], parents: [], hasMoreParents: false, logos: [], pictures: [] }));
  expect((await screen.findByLabelText<HTMLSelectElement>('Brand')).value).toBe('bay-league');
  expect(screen.getByText('Add the club')).toBeTruthy();
});

test('a typed name and link stay when refusing is cancelled', async () => {
  await open();
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Balmain Harbour Choir' } });
  fireEvent.click(screen.getByText('Refuse'));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Nobody answers' } });
  const refusal = screen.getByText('Refuse the request').closest('form');
  fireEvent.click(within(refusal as HTMLElement).getByText('Cancel'));
  expect(screen.queryByText('Refuse the request')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Balmain Harbour Choir');
});
