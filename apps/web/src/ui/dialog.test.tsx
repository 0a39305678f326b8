import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

const pressOutside = (detail: number) => {
  fireEvent.pointerDown(screen.getByRole('dialog'));
  fireEvent.click(screen.getByRole('dialog'), { detail });
};

test('a press outside closes a dialog, and the second press of the double click that opened it does not', () => {
  const onClose = vi.fn<() => void>();
  render(
    <Dialog onClose={onClose} aria-label="Agree?">
      Agree
    </Dialog>,
  );
  pressOutside(2);
  expect(onClose).not.toHaveBeenCalled();
  pressOutside(1);
  expect(onClose).toHaveBeenCalledOnce();
});

test('content shown only once is not lost by Escape or a press outside', () => {
  const onClose = vi.fn<() => void>();
  render(
    <Dialog onClose={onClose} aria-label="A key">
      <p data-keeps-open>a secret</p>
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  pressOutside(1);
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  dialog.close(); // as a browser does on a second Escape
  fireEvent(dialog, new Event('close'));
  expect([onClose.mock.calls.length, dialog.open]).toEqual([0, true]);
});
