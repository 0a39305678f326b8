// @vitest-environment jsdom
import { retrieveClubChoices } from '@sparechange/contract/console';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { ClubDialog } from './club-dialog.tsx';

afterEach(() => {
  cleanup();
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
  const shown = (label: string) => screen.getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.textContent;
  expect(['Part of', 'Logo', 'Picture'].map(shown)).toEqual(['Zetland League', 'own.svg', 'own.jpg']);
});
