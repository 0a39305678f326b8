import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

test('a press outside closes a dialog, and the second press of the double click that opened it does not', () => {
  const onClose = vi.fn<() => void>();
  render(
    <Dialog onClose={onClose} aria-label="Agree?">
      Agree
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog');
  const press = (detail: number) => {
    fireEvent.pointerDown(dialog);
    fireEvent.click(dialog, { detail });
  };
  press(2);
  expect(onClose).not.toHaveBeenCalled();
  press(1);
  expect(onClose).toHaveBeenCalledOnce();
});
