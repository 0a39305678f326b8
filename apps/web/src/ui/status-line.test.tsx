import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RetryButton } from './retry.tsx';
import { StatusLine, showLoadedAt } from './status-line.tsx';

const page = document.documentElement;
beforeEach(() => page.setAttribute('data-offline', ''));
afterEach(() => page.removeAttribute('data-offline'));

test('the age of figures is shown only while a screen shows them', () => {
  render(<StatusLine />);
  expect(screen.getByRole('status')).toHaveTextContent("You are offline. Changes can't be saved.");
  act(() => showLoadedAt('Mon 23 Nov 2026, 6:05 pm'));
  expect(screen.getByRole('status')).toHaveTextContent(
    "You are offline. You see what was loaded on Mon 23 Nov 2026, 6:05 pm. Changes can't be saved.",
  );
  act(() => showLoadedAt(''));
  expect(screen.getByRole('status')).toHaveTextContent("You are offline. Changes can't be saved.");
});

test('a page without a network offers no Retry', () => {
  render(<RetryButton onRetry={() => Promise.resolve()} />);
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
});
