// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter, useSearchParams } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FoldedFilters, SearchField } from './filters.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const searched = vi.fn();

function Page() {
  const [params, setParams] = useSearchParams();
  const search = (value: string) => {
    searched(value);
    setParams(value ? { search: value } : {}, { replace: true });
  };
  return (
    <>
      <SearchField value={params.get('search') ?? ''} onChange={search} />
      <Link to="/?tenant=bush-league">Bush League</Link>
      <output>{params.toString()}</output>
    </>
  );
}

function open(): { field: HTMLInputElement; wait: () => Promise<void> } {
  searched.mockClear();
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  );
  const wait = async () => {
    for (let times = 0; times < 4; times += 1) await act(() => vi.advanceTimersByTimeAsync(400));
  };
  return { field: screen.getByLabelText<HTMLInputElement>('Search'), wait };
}
const type = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });
const address = () => screen.getByRole('status').textContent;

test('words with a trailing space are searched for once', async () => {
  const { field, wait } = open();
  type(field, 'bay ');
  await wait();
  expect(searched.mock.calls).toEqual([['bay']]);
  expect(field.value).toBe('bay ');
  type(field, 'bay rov');
  await wait();
  expect(searched.mock.calls.at(-1)).toEqual(['bay rov']);
});

test('an address without the search empties its field, and is not searched again', async () => {
  const { field, wait } = open();
  type(field, 'bay');
  await wait();
  expect(address()).toBe('search=bay');
  fireEvent.click(screen.getByText('Bush League'));
  await wait();
  expect([address(), field.value]).toEqual(['tenant=bush-league', '']);
});

test('the other filters are counted on the button that opens them', () => {
  render(
    <FoldedFilters search={<input aria-label="Search" />} others={['failed', undefined, '', '2026-11-01']}>
      <input aria-label="Status" />
    </FoldedFilters>,
  );
  const button = screen.getByRole('button', { name: 'Filters (2)' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(button.getAttribute('aria-controls') ?? '')?.dataset.open).toBe('true');
});
