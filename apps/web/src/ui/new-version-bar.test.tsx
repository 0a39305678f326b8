import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NewVersionBar } from './new-version-bar.tsx';

test('nothing is said of a new version until there is one, and it is used by a press alone', async () => {
  const { rerender } = render(<NewVersionBar use={undefined} />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  const use = vi.fn();
  rerender(<NewVersionBar use={use} />);
  expect(screen.getByRole('status')).toHaveTextContent('A new version is ready.');
  expect(use).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use it' }));
  expect(use).toHaveBeenCalledOnce();
});
