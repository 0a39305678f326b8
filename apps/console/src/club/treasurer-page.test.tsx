// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#api/query-client.ts';
import { sessionQuery } from '#session/session.ts';
import { BookFiles } from './book-files.tsx';
import { TreasurerPage } from './treasurer-page.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
  localStorage.clear();
});

test('a treasurer who changes to another club finds its own account codes', () => {
  const clubs = [
    { id: 'a', name: 'Riverside Rovers' },
    { id: 'b', name: 'Bay View Choir' },
  ];
  queryClient.setQueryData(sessionQuery.queryKey, { id: 'terry', clubs } as never);
  localStorage.setItem('income account b', '4-1000');
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TreasurerPage title="Payouts">{(clubId) => <BookFiles clubId={clubId} year={2026} />}</TreasurerPage>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const income = () => {
    fireEvent.click(screen.getByText('Xero'));
    return screen.getByLabelText<HTMLInputElement>('Income account').value;
  };
  expect(screen.queryByLabelText('Income account')).toBeNull();
  expect(income()).toBe('260');
  fireEvent.change(screen.getByLabelText('Income account'), { target: { value: '200' } });
  fireEvent.change(screen.getByLabelText('Club'), { target: { value: 'b' } });
  expect(income()).toBe('4-1000');
  fireEvent.change(screen.getByLabelText('Club'), { target: { value: 'a' } });
  expect(income()).toBe('200');
});
