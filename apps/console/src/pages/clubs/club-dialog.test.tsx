// @vitest-environment jsdom
import { retrieveClubChoices } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { ClubDialog } from './club-dialog.tsx';

const [zephyr, ash] = ['5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0001', '5c7e3c1e-0f2a-4f6c-9c49-3a6a5b1f0002'];

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  queryClient.clear();
});

test('a club shows its league, logo and picture, also where the lists to choose from leave them out', () => {
  const league = { id: 'l', name: 'Zetland League' };
  const club = { id: 'c', name: 'Bay Rovers', slug: 'bay', parent: league, logo: 'own.svg', picture: 'own.jpg' };
  const choices = { tenants: [], parents: [{ id: 'a', name: 'Ash League' }], logos: ['a.svg'], pictures: ['a.jpg'] };
  queryClient.setQueryData([retrieveClubChoices.name, 'answer', {}], choices as never);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubDialog club={club as never} onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.getByLabelText<HTMLSelectElement>('Part of').selectedOptions[0]?.text).toBe('Zetland League');
  const tiles = (name: string) => within(screen.getByRole('group', { name })).getAllByRole<HTMLInputElement>('radio');
  const chosen = (name: string) => tiles(name).map((tile) => [tile.value, tile.checked]);
  expect(chosen('Logo')).toEqual([
    ['', false],
    ['own.svg', true],
    ['a.svg', false],
  ]);
  expect(chosen('Picture')).toContainEqual(['own.jpg', true]);
  expect(screen.getByText('More details').closest('details')?.open).toBe(true);
});

test('a new club is asked for four facts; the others are folded away until one of them is refused', async () => {
  const sent: Record<string, string>[] = [];
  vi.stubGlobal('fetch', async ({ pathname }: URL, { body }: RequestInit) => {
    if (pathname.endsWith(retrieveClubChoices.path))
      return Response.json({ tenants: [], parents: [], hasMoreParents: false, logos: ['a.svg'], pictures: ['a.jpg'] });
    sent.push(JSON.parse(String(body)));
    const error = {
      code: 'invalid-input',
      message: 'No.',
      requestId: 'r',
      fields: { abn: 'An ABN has eleven digits' },
    };
    return Response.json({ error }, { status: 400 });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubDialog onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const folded = screen.getByText('More details').closest('details') as HTMLDetailsElement;
  const fields = [...document.querySelectorAll<HTMLElement>('form :is(input, select, textarea)')];
  expect(fields.filter((field) => !folded.contains(field))).toEqual(
    ['Name', 'Link', 'Part of', "Contact's email"].map((label) => screen.getByLabelText(label)),
  );
  expect(folded.open).toBe(false);
  fireEvent.click(await screen.findByLabelText('a.svg'));
  fireEvent.change(screen.getByLabelText('ABN'), { target: { value: '1' } });
  fireEvent.click(screen.getByText('Add club'));
  await screen.findByText('An ABN has eleven digits');
  expect(folded.open).toBe(true);
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('ABN')));
  expect(sent).toMatchObject([{ abn: '1', logo: 'a.svg', picture: '', parentId: '' }]);
});

test('a league that the list leaves out is searched for at the server, and kept while others are', async () => {
  const sent: unknown[] = [];
  const lists = { tenants: [], logos: [], pictures: [] };
  vi.stubGlobal('fetch', async ({ pathname, searchParams }: URL, { body }: RequestInit) => {
    if (pathname.endsWith(retrieveClubChoices.path)) {
      const isFound = searchParams.get('search') === 'zeph';
      return Response.json({
        ...lists,
        parents: isFound ? [{ id: zephyr, name: 'Zephyr League' }] : [{ id: ash, name: 'Ash League' }],
        hasMoreParents: !isFound,
      });
    }
    sent.push(JSON.parse(String(body)));
    return Response.json({});
  });
  const form = { name: 'Bay Rovers', slug: 'bay', parent: null };
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ClubDialog club={{ id: 'c', ...form } as never} onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const search = await screen.findByLabelText('Find the club it is part of');
  fireEvent.change(search, { target: { value: 'zeph' } });
  await screen.findByRole('option', { name: 'Zephyr League' });
  fireEvent.change(screen.getByLabelText('Part of'), { target: { value: zephyr } });
  fireEvent.change(search, { target: { value: '' } });
  await screen.findByRole('option', { name: 'Ash League' });
  expect(screen.getByLabelText<HTMLSelectElement>('Part of').selectedOptions[0]?.text).toBe('Zephyr League');
  fireEvent.click(screen.getByText('Save'));
  await vi.waitFor(() => expect(sent).toEqual([{ clubId: 'c', seen: { parentId: '' }, parentId: zephyr }]));
});
