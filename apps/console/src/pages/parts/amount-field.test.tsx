// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link, MemoryRouter, useSearchParams } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { AmountFilter } from './amount-field.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Page() {
  const [params, setParams] = useSearchParams();
  return (
    <>
      <AmountFilter
        value={params.get('amount') ?? ''}
        onChange={(amount) => setParams({ amount }, { replace: true })}
      />
      <Link to="/?search=robin">Payments of Robin</Link>
      <output>{params.toString()}</output>
    </>
  );
}

test('an amount is searched for once complete, and a link without one empties its field', async () => {
  vi.useFakeTimers();
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  );
  const wait = async () => {
    for (let times = 0; times < 3; times += 1) await act(() => vi.advanceTimersByTimeAsync(400));
  };
  const field = screen.getByLabelText<HTMLInputElement>('Amount');
  const address = () => screen.getByRole('status').textContent;
  fireEvent.change(field, { target: { value: '43.5.0' } });
  await wait();
  expect(address()).toBe('');
  fireEvent.change(field, { target: { value: '43.50' } });
  await wait();
  expect(address()).toBe('amount=43.50');
  fireEvent.click(screen.getByText('Payments of Robin'));
  await wait();
  expect([address(), field.value]).toEqual(['search=robin', '']);
});
