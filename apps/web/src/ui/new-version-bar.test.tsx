import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NewVersionBar } from './new-version-bar.tsx';

test('a new version is offered only once there is one, and used only on a press', async () => {
  const { rerender } = render(<NewVersionBar onUse={undefined} />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  const use = vi.fn();
  rerender(<NewVersionBar onUse={use} />);
  expect(screen.getByRole('status')).toHaveTextContent('A new version is ready.');
  expect(use).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use it' }));
  expect(use).toHaveBeenCalledOnce();
});

test('the bar makes way for the line that says there is no network', () => {
  render(<NewVersionBar onUse={vi.fn()} />);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.getByRole('button', { name: 'Use it' })).toBeVisible();
});
